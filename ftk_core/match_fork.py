"""Ways to continue a stored match from one of its choices.

`ForkWithSameSeed` repeats all random draws of the match. `ForkWithResampledHiddenState` draws new random numbers for
the rest of the match, and for everything that a viewer did not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import gettext as _
from typing import Any

import msgspec

from ftk_core.facts import OMNISCIENT, Action, Viewer, secret_fields_of, types_in_union
from ftk_core.game import Seat
from ftk_core.games import game_of, list_games
from ftk_core.log_entries import ChoiceMade, GameFactRecorded, MatchFinished, MatchOpened, read
from ftk_core.logged_decisions import opening_of
from ftk_core.match_state_from_log import AnyGame, decoder_of, fact_in, state_before_deal
from ftk_core.random_streams import MatchRandomness
from ftk_core.unlogged_play import Choose, play_from_state

DRAWN_PARTS = 1 << 24
"""Number of equal parts of a probability, of which a random number selects one."""


class MatchForkError(ValueError):
    """Raised if a match cannot be forked as requested. The message gives the reason and the remedy."""


class MatchForkPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Choice in a stored match from which the match can be played differently."""

    game: Any
    """Rules of the game."""
    opened: MatchOpened
    entry: int
    """Sequence number of the choice's entry in the log."""
    state: Any
    """Game state at the beginning of the turn."""
    seat: Seat
    menu: tuple[Action, ...]
    chosen: int
    """Index into the menu of the action chosen in the match."""
    given: Mapping[Seat, Action]
    """Seat -> action that it had already chosen in the same turn, unknown to the seat of this choice."""


class ForkWithSameSeed(msgspec.Struct, frozen=True):
    """Fork that keeps the seed of the match, so that all random draws stay the same."""

    fork: MatchForkPoint
    seed: bytes

    def play(self, item: int, choose: Choose) -> Any:
        """Play the action with index `item`, let `choose` make all later choices, and return the final state."""
        fork = self.fork
        turn_choices = {**fork.given, fork.seat: fork.menu[item]}
        return play_from_state(fork.game, fork.state, MatchRandomness(self.seed), choose, turn_choices)[0]


class ForkWithResampledHiddenState(msgspec.Struct, frozen=True):
    """Fork of a match in which everything that a viewer did not know is drawn again."""

    fork: MatchForkPoint
    viewer: Viewer

    def play(self, item: int, choose: Choose, chance: MatchRandomness) -> Any:
        """Draw the hidden state again, play the action with index `item`, and return the final state.

        `choose` makes all later choices.
        """
        # A simultaneous choice of another player is made again, unless the viewer knew it because it may see
        # everything.
        fork = self.fork
        turn_choices = {**(fork.given if self.viewer == OMNISCIENT else {}), fork.seat: fork.menu[item]}
        state = deal_again(fork.game, fork.state, self.viewer, chance)
        return play_from_state(fork.game, state, chance, choose, turn_choices)[0]


def current_rules_of(opened: MatchOpened) -> AnyGame:
    """Return the rules of a match, given its first log entry.

    Raises MatchForkError if they are not the newest version, and UnknownGameError for unknown rules.
    """
    game = game_of(opened)
    if game is not list_games()[opened.game]:
        newest = list_games()[opened.game].version
        raise MatchForkError(
            _(
                "the match was played by version {version} of {title}: only matches of version {newest} can"
                " be continued"
            ).format(version=game.version, title=game.title, newest=newest)
        )
    return game


def seed_in(lines: Sequence[bytes]) -> bytes:
    """Return the seed in the last log entry. Raises MatchForkError for an abandoned or unfinished match."""
    closed = read(lines[-1])
    if not isinstance(closed, MatchFinished):
        raise MatchForkError(
            _(
                "the match is void or has not ended, so its seed is not revealed and its random numbers"
                " cannot be computed"
            )
        )
    return bytes.fromhex(closed.seed)


def has_secrets(game: AnyGame) -> bool:
    """Return whether any event of the game has a secret field."""
    return any(map(secret_fields_of, types_in_union(game.facts)))


def check_viewer_supported(game: AnyGame, viewer: Viewer) -> None:
    """Raise MatchForkError if the game cannot resample what the viewer does not know."""
    if viewer != OMNISCIENT and game.resample is None and has_secrets(game):
        raise MatchForkError(
            _(
                "{title} cannot deal hidden information again, because it has no `resample`; choose the eyes `all`"
            ).format(title=game.title)
        )


def deal_again(game: AnyGame, state: Any, viewer: Viewer, chance: MatchRandomness) -> Any:
    """Return a state in which everything that the viewer does not know is drawn again.

    Return `state` itself if `viewer` is OMNISCIENT or the game has no function `resample`.
    """
    if viewer == OMNISCIENT or game.resample is None:
        return state
    return game.resample(state, viewer, chance)


def deal_likely(
    game: AnyGame, state: Any, viewer: Viewer, chance: MatchRandomness, candidates: int
) -> tuple[Any, float]:
    """Draw `candidates` states as `deal_again` does, and return one of them and their effective number.

    Each is returned with a probability proportional to its likelihood (see `Game.likelihood`). For a game without
    likelihoods, return the same as `deal_again`, and 0.
    """
    chosen = deal_again(game, state, viewer, chance)
    if game.likelihood is None or viewer == OMNISCIENT:
        return chosen, 0.0
    draw, total = chance.at("candidates"), game.likelihood(chosen, viewer)
    squares = total * total
    for _number in range(1, candidates):
        other = deal_again(game, state, viewer, MatchRandomness(draw.seed()))
        weight = game.likelihood(other, viewer)
        total += weight
        squares += weight * weight
        if draw.below(DRAWN_PARTS) * total < weight * DRAWN_PARTS:
            chosen = other
    return chosen, total * total / squares


def fork_with_same_luck(lines: Sequence[bytes], entry: int) -> ForkWithSameSeed:
    """Fork a finished match at the choice in a log entry, with the same random draws.

    Raises MatchForkError if the entry is not a choice, the match is unfinished or its rules are old, and
    UnknownGameError for unknown rules.
    """
    return ForkWithSameSeed(fork_at(lines, entry), seed_in(lines))


def fork_with_new_deal(lines: Sequence[bytes], entry: int, viewer: Viewer) -> ForkWithResampledHiddenState:
    """Fork a match at the choice in a log entry, with new random values for what `viewer` did not know.

    Raises MatchForkError if the entry is not a choice, the rules are old or the game cannot resample, and
    UnknownGameError for unknown rules.
    """
    fork = fork_at(lines, entry)
    check_viewer_supported(fork.game, viewer)
    return ForkWithResampledHiddenState(fork, viewer)


def fork_at(lines: Sequence[bytes], entry: int) -> MatchForkPoint:
    """Return the choice in log entry `entry`, with the game state in which the seat had to choose.

    Raises MatchForkError if the entry is not a choice or the rules are old, and UnknownGameError for unknown rules.
    """
    opened = opening_of(lines)
    game = current_rules_of(opened)
    if not 0 <= entry < len(lines):
        raise MatchForkError(
            _("entry {entry}: the log has the entries 0 to {lines}").format(entry=entry, lines=len(lines) - 1)
        )
    choice = read(lines[entry])
    if not isinstance(choice, ChoiceMade):
        raise MatchForkError(
            _("entry {entry} is not a choice: nobody was asked there; `ftk story` tells what happened").format(
                entry=entry
            )
        )
    state, earlier_choices = state_before_deal(game, opened), dict[Seat, Action]()
    for line in lines[1:entry]:
        before = read(line)
        if isinstance(before, GameFactRecorded):
            state, earlier_choices = game.apply(state, fact_in(game, before)), {}
        elif isinstance(before, ChoiceMade):
            earlier_choices[before.seat] = action_in(game, before)
    menu = tuple(game.legal(state, choice.seat))
    return MatchForkPoint(
        game=game, opened=opened, entry=entry, state=state, seat=choice.seat, menu=menu,
        chosen=menu.index(action_in(game, choice)), given=earlier_choices,
    )  # fmt: skip


def action_in(game: AnyGame, chose: ChoiceMade) -> Action:
    """Decode the action in a choice; raise msgspec.ValidationError if the game does not define it."""
    action: Action = decoder_of(game.actions).decode(chose.action)
    return action
