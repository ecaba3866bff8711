"""Random leagues of all formats, each generated from a seed number: terms, entries, results and organisers' acts."""

from __future__ import annotations

from functools import cache
from random import Random

from ftk_core.games import game, list_games
from ftk_core.league import (
    league_correction_command_handlers,
    match_result_command_handlers,
    organiser_command_handlers,
)
from ftk_core.league.drafted_round_validation import flaw_of_draft
from ftk_core.league.entry_and_qualification_rules import first_stage_too_small
from ftk_core.league.event_fields import StageSettings, TableSeating
from ftk_core.league.formats import list_formats
from ftk_core.league.intervention_facts import LeagueCancelled, LeagueEndedEarly, StageEndedEarly
from ftk_core.league.league_command_handlers import draw_ahead, proceed, record, redraft, round_end_facts
from ftk_core.league.league_facts import LeagueClosed, LeagueFact, ResultRecorded, RoundPaired
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.match_seating_and_random_seeds import derive_match_id, rotate_seating
from ftk_core.league.statistics.round_seed_hash_chain import next_link
from ftk_core.match_state_from_log import check_options, read_options
from tests.support.results import build_result
from tests.support.stages import ORGANISER, LeagueRun

LONGEST = 250
"""Maximum number of rounds; a league that does not end before is an error."""


@cache
def shortest(name: str, seats: int) -> int:
    """Return the smallest table size, down from `seats`, at which the game can be played with its default options."""
    rules, least = game(name), seats
    while least > rules.seats.start:
        try:
            check_options(rules, least - 1, read_options(rules, "{}"))
        except ValueError:
            break
        least -= 1
    return least


def drawn_stages(draw: Random, name: str) -> tuple[StageSettings, ...]:
    """Return one to three random stages for a league of a game."""
    return tuple(_stage(draw, name, number) for number in range(draw.choice([1, 1, 2, 3])))


def _stage(draw: Random, name: str, number: int) -> StageSettings:
    form = draw.choice(sorted(list_formats()))
    module, seats = list_formats()[form], draw.choice(game(name).seats)
    return StageSettings(
        format=form,
        seats=seats,
        least=shortest(name, seats),
        rounds=draw.randint(1, 4) if module.counted else draw.choice([0, 0, 3]) * (form != "knockout"),
        games=draw.choice([1, 1, 2]),
        scored=draw.choice(["matches", "matches", "blocks"]),
        worth=draw.choice(["places", "wins", "shared"]),
        rest=draw.choice(["win", "half", "none"]),
        tiebreaks=draw.choice([(), ("wins",), ("opposition-2", "lots")]),
        carry=draw.choice(["none", "half", "all"]) if number else "none",
        qualify=draw.choice([0, 4, 6, 8, 12]) if number else 0,
        groups=draw.choice([1, 1, 2, 3]) if module.groups_title else 1,
        seeding=draw.choice(["lot", "lot", "rating", "entry"]),
    )


class AnyLeague(LeagueRun):
    """A random league in progress, with acts before, within and between its rounds.

    `number` is the random seed; `budget` limits the work of pairing, and 0 means the default limit.
    """

    def __init__(self, number: int, budget: int = 0) -> None:
        draw = Random(number)
        self.game, self.budget = draw.choice(list(list_games())), budget
        entries = draw.choice([draw.randint(1, 14), draw.randint(1, 14), draw.randint(1, 60)])
        self.stages = drawn_stages(draw, self.game)
        self.eventful = draw.choice([0.0, 0.2, 0.5])
        self.stuck = list[str]()
        """Reasons why the next step was impossible; each time an act then ended the stage or the league."""
        super().__init__(
            *self.stages,
            entries=entries,
            seed=number,
            authors=draw.choice([0, 3]),
            game=self.game,
            held=draw.random() < 0.4,
            late=draw.choice([0, 0, 3]),
            granted=draw.choice(["none", "half", "mean"]),
        )
        self.ratings = {entry: draw.randint(1200, 1800) for entry in range(1, entries + 1) if draw.random() < 0.8}

    def refusal(self) -> str:
        """Return the reason why the league could not be announced; empty if it can."""
        short = first_stage_too_small(self.stages, 10**6)
        return f"stage {short[0] + 1} needs {short[1]} entries, and {short[2]} qualify" if short else ""

    def finish(self, chance_of_an_act: float = 0) -> LeagueState:
        """Play the league to its end.

        If the next step is impossible, add the reason to `stuck` and end the stage or close the league.
        """
        while not self.league.closed:
            assert len(self.league.rounds) < LONGEST
            try:
                self._step()
            except CommandRejected as refusal:
                self.stuck.append(str(refusal))
                last = self.league.begun and self.league.begun[-1].number == len(self.stages)
                self.end(self.draw.choice(["end", "close"]) if last else "close")
        return self.league

    def _step(self) -> None:
        if self.league.between:
            self._go_on()
        else:
            self._play_some()
        if self.draw.random() < self.eventful / 20:
            self.end(self.draw.choice(["end", "close"]))
        elif self.league.history and self.draw.random() < self.eventful and not self.league.closed:
            self.act()

    def _go_on(self) -> None:
        """Draw, draft or begin the next round, or end the league."""
        link = next_link(self.secret, self.league)
        if self.league.draft is None:
            self._happens_next(*self._drawn(link))
        elif flaw_of_draft(self.league) or self.draw.random() < 0.1:
            self._happens_next(*self._drawn_again(link))
        else:
            self.append(organiser_command_handlers.begin_draft(self.league, ORGANISER.at))

    def _drawn(self, link: str) -> tuple[tuple[LeagueFact, ...], bool]:
        coming = proceed(self.league, link, budget=self.budget, ratings=self.ratings)
        return coming.facts, coming.over

    def _drawn_again(self, link: str) -> tuple[tuple[LeagueFact, ...], bool]:
        coming = redraft(self.league, link, ORGANISER)
        return coming.facts, coming.over

    def _happens_next(self, facts: tuple[LeagueFact, ...], over: bool) -> None:
        self.append(*facts)
        if over:
            self.append(LeagueClosed(self.secret.hex()))

    def _play_some(self) -> None:
        """Play some matches of the round; pair the next round early if the format allows that."""
        if self.draw.random() < 0.5:
            self.append(*draw_ahead(self.league, next_link(self.secret, self.league)))
        waiting = [one for one in self.results() if (one.round, one.table, one.game) not in self.league.recorded]
        some = waiting if self.draw.random() < 0.7 else waiting[: self.draw.randint(1, len(waiting))]
        self.append(*record(self.league, *some))

    def _result(self, paired: RoundPaired, table: TableSeating, game: int) -> ResultRecorded:
        return build_result(
            paired.round, table, game, {entry: self.draw.randint(0, 3) for entry in rotate_seating(table.seating, game)}
        )

    def end(self, verb: str) -> None:
        """End the stage (`verb` is ``end``) or the league (``close``) by an organiser's act; void its open matches.

        A league without rounds is cancelled instead of closed. If the act is refused, nothing changes.
        """
        try:
            fact: StageEndedEarly | LeagueEndedEarly | LeagueCancelled = {
                "end": league_correction_command_handlers.end_stage,
                "close": league_correction_command_handlers.close_league
                if self.league.rounds
                else league_correction_command_handlers.cancel_league,
            }[verb](self.league, ORGANISER)
        except CommandRejected:
            return
        self.append(fact)
        for key in self.league.open_matches:
            match = derive_match_id(self.league, key, 0)
            self.append(match_result_command_handlers.void_match(self.league, key, match, ORGANISER))
            self.append(*round_end_facts(self.league))
