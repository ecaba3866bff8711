"""What is true of every game on the shelf, at every table size."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

import msgspec
import pytest

from ftk_core.facts import OMNISCIENT, PUBLIC, encode, kind_of, secrets_of, tell
from ftk_core.game import MENU_LIMIT, RuleError
from ftk_core.log import MemoryLog, lines_of
from ftk_core.match import fact_in, play, rerun, states
from ftk_core.players import RandomPlayer
from ftk_core.rng import Chance, seed_of
from ftk_core.words import LANGUAGES
from tests.laws.census import CENSUS
from tests.laws.tables import EVERY, Story, stories, story

EVERYWHERE = pytest.mark.parametrize(("name", "seats"), EVERY)


@cache
def told(name: str, seats: int) -> tuple[Story, ...]:
    """Return the random matches of a table size, played once for all laws."""
    return tuple(stories(name, seats))


@EVERYWHERE
def test_it_ends_and_every_seat_is_ranked(name: str, seats: int) -> None:
    for match in told(name, seats):
        result = match.game.result(match.states[-1])
        assert len(result.places) == len(result.scores) == seats
        assert min(result.places) == 1
        for place in result.places:
            assert sum(other < place for other in result.places) == place - 1, "shared places leave the next ones free"


@EVERYWHERE
def test_it_reruns_to_the_same_bytes(name: str, seats: int) -> None:
    log = MemoryLog()
    game = told(name, seats)[0].game
    result = play(game, [RandomPlayer(seed_of(name, seat)) for seat in range(seats)], seed_of(name, seats), log=log)
    lines = list(lines_of(log))
    assert rerun(game, lines) == result
    _, last = list(states(game, lines))[-1]
    assert game.result(last) == result, "folding the facts comes to the same end"


@EVERYWHERE
def test_facts_and_actions_survive_encoding(name: str, seats: int) -> None:
    for match in told(name, seats):
        facts = msgspec.json.Decoder(match.game.facts)
        actions = msgspec.json.Decoder(match.game.actions)
        assert [facts.decode(encode(fact)) for fact in match.facts] == match.facts
        for moment in match.moments:
            assert tuple(actions.decode(encode(action)) for action in moment.menu[:20]) == moment.menu[:20]


@EVERYWHERE
def test_the_menu_is_exactly_what_is_accepted(name: str, seats: int) -> None:
    for match in told(name, seats):
        chance = Chance(seed_of("unused"))
        vocabulary = {action for moment in match.moments for action in moment.menu}
        for moment in match.moments[:: max(1, len(match.moments) // 25)]:
            assert len(set(moment.menu)) == len(moment.menu)
            for action in moment.menu:
                assert match.game.decide(moment.state, moment.seat, action, chance)
            for action in vocabulary - set(moment.menu):
                with pytest.raises(RuleError):
                    match.game.decide(moment.state, moment.seat, action, chance)
            for other in set(range(seats)) - set(match.game.turn(moment.state)):
                with pytest.raises(RuleError):
                    match.game.decide(moment.state, other, moment.menu[0], chance)


@EVERYWHERE
def test_menus_are_never_empty_and_never_too_long(name: str, seats: int) -> None:
    for match in told(name, seats):
        assert all(0 < len(moment.menu) <= MENU_LIMIT for moment in match.moments)


@EVERYWHERE
def test_a_view_is_a_function_of_what_was_told(name: str, seats: int) -> None:
    """Nobody sees more than they were told: blank what was hidden, and nothing of it is in the view."""
    for match in told(name, seats):
        for viewer in (PUBLIC, *range(seats)):
            openly = _told_names(match, viewer)
            hidden: set[str] = set()
            for number, fact in enumerate(match.facts, 1):
                hidden |= _hidden_in(fact, viewer)
                seen = set(_names_in(msgspec.to_builtins(match.game.view(match.states[number], viewer))))
                assert not (seen & hidden) - openly[number], (viewer, fact)


@cache
def _names_told(name: str, seats: int, number: int, viewer: int) -> list[set[str]]:
    """Return, by state, every name that a viewer has been told so far."""
    match = told(name, seats)[number]
    names: set[str] = set()
    found = [set(names)]
    for fact in match.facts:
        names |= set(_names_in(msgspec.to_builtins(tell(fact, viewer))))
        found.append(set(names))
    return found


def _told_names(match: Story, viewer: int) -> list[set[str]]:
    number = next(n for n, other in enumerate(told(match.game.name, match.seats)) if other is match)
    return _names_told(match.game.name, match.seats, number, viewer)


def _names_in(value: Any) -> list[str]:
    """Return every string inside a value."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [name for inner in value.values() for name in _names_in(inner)]
    if isinstance(value, (list, tuple)):
        return [name for inner in value for name in _names_in(inner)]
    return []


@EVERYWHERE
def test_hidden_things_can_be_exchanged_without_anybody_noticing(name: str, seats: int) -> None:
    """Exchange two names in all that a viewer was not told, throughout the match: the view stays the same."""
    match = told(name, seats)[0]
    for viewer in (PUBLIC, 0):
        for at in range(0, len(match.facts), max(1, len(match.facts) // 12)):
            unknown = sorted(_hidden_names(match, viewer, at) - _told_names(match, viewer)[at + 1])
            if len(unknown) < 2:
                continue
            one, other = unknown[0], unknown[-1]
            state = match.game.setup(seats)
            for fact in match.facts[: at + 1]:
                state = match.game.apply(state, _exchanged(match, fact, one, other))
            assert match.game.view(state, viewer) == match.game.view(match.states[at + 1], viewer)


def _hidden_names(match: Story, viewer: int, at: int) -> set[str]:
    return set().union(*(_hidden_in(fact, viewer) for fact in match.facts[: at + 1]))


def _hidden_in(fact: Any, viewer: int) -> set[str]:
    """Return the names in a fact that a viewer is not told."""
    shown = tell(fact, viewer)
    blanked = [secret for secret in secrets_of(type(fact)) if getattr(shown, secret) is None]
    return {name for secret in blanked for name in _names_in(msgspec.to_builtins(getattr(fact, secret)))}


def _exchanged(match: Story, fact: Any, one: str, other: str) -> Any:
    swap = {f'"{one}"': f'"{other}"', f'"{other}"': f'"{one}"'}
    text = re.sub(f'"{re.escape(one)}"|"{re.escape(other)}"', lambda m: swap[m.group()], encode(fact).decode())
    return msgspec.json.Decoder(match.game.facts).decode(text)


@EVERYWHERE
def test_every_view_has_a_picture_with_unique_keys(name: str, seats: int) -> None:
    for match in told(name, seats):
        for state in match.states[:: max(1, len(match.states) // 40)]:
            for viewer in (PUBLIC, OMNISCIENT, *range(seats)):
                scene = match.game.scene(match.game.view(state, viewer))
                pieces = Counter(piece.key for zone in scene.zones for piece in zone.pieces)
                zones = Counter(zone.key for zone in scene.zones)
                assert max(pieces.values(), default=1) == max(zones.values()) == 1
                assert scene.to_act == match.game.turn(state)
                assert all(len(meter.values) == seats for meter in scene.meters)


@EVERYWHERE
def test_keys_do_not_tell_hidden_pieces_apart(name: str, seats: int) -> None:
    """A piece that shows nothing is keyed by its place: its key holds no name from the box."""
    for match in told(name, seats):
        names = {text for fact in match.facts for text in _names_in(msgspec.to_builtins(fact)) if text.isupper()}
        for state in match.states[:: max(1, len(match.states) // 40)]:
            for zone in match.game.scene(match.game.view(state, PUBLIC)).zones:
                for piece in zone.pieces:
                    assert piece.face or piece.key not in names


@EVERYWHERE
def test_nothing_leaves_the_box(name: str, seats: int) -> None:
    count = CENSUS[name]
    for match in told(name, seats):
        after_deal = [state for state in match.states if count(state)]
        assert len({tuple(sorted(count(state))) for state in after_deal}) == 1


@EVERYWHERE
def test_a_silent_table_finishes(name: str, seats: int) -> None:
    match = story(name, seats, 0, silent=True)
    assert match.game.result(match.states[-1]).places


@EVERYWHERE
def test_a_chance_label_is_used_once(name: str, seats: int) -> None:
    for match in told(name, seats):
        assert max(Counter(match.labels).values()) == 1


@EVERYWHERE
def test_every_fact_can_be_said_to_everybody_in_every_language(name: str, seats: int) -> None:
    names = [f"Bot{seat}" for seat in range(seats)]
    for match in told(name, seats):
        for fact in match.facts:
            for viewer in (PUBLIC, OMNISCIENT, 0):
                for language in LANGUAGES:
                    sentence = match.game.say(tell(fact, viewer), names, language)
                    assert sentence
                    assert "None" not in sentence


@EVERYWHERE
def test_marks_name_kinds_of_facts(name: str, seats: int) -> None:
    game = told(name, seats)[0].game
    kinds = {kind_of(kind.__name__) for kind in _kinds(game.facts)}
    assert set(game.marks) <= kinds


def _kinds(facts: Any) -> list[type]:
    return [part.cls for part in msgspec.inspect.type_info(facts).types]  # type: ignore[attr-defined]


@EVERYWHERE
def test_the_log_decodes_to_the_facts(name: str, seats: int) -> None:
    log = MemoryLog()
    game = told(name, seats)[0].game
    play(game, [RandomPlayer(seed_of(name, seat)) for seat in range(seats)], seed_of(name, seats), log=log)
    for entry, _ in states(game, lines_of(log)):
        if type(entry).__name__ == "Happened":
            assert encode(fact_in(game, entry)) == bytes(entry.fact)  # type: ignore[union-attr]
