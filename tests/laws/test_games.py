"""What is true of every game on the shelf, at every table size."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ftk_core.entries import Happened
from ftk_core.facts import OMNISCIENT, PUBLIC, encode, kind_of, tell
from ftk_core.fold import fact_in, states
from ftk_core.games import game as game_of
from ftk_core.games import versions
from ftk_core.log import MemoryLog, lines_of
from ftk_core.players import RandomPlayer
from ftk_core.referee import play, rerun
from ftk_core.rng import Chance, seed_of
from ftk_core.scene import Scene
from ftk_core.words import LANGUAGES, about_piece, relabeller
from tests.support.laws.by_game import census_of, options_for
from tests.support.laws.tables import EVERY, MATCHES, story, told

EVERYWHERE = pytest.mark.parametrize(("name", "seats"), EVERY)


@EVERYWHERE
def test_it_ends_and_every_seat_is_ranked(name: str, seats: int) -> None:
    for match in told(name, seats):
        result = match.game.result(match.states[-1])
        assert len(result.places) == len(result.scores) == seats
        assert min(result.places) == 1
        for place in result.places:
            assert sum(other < place for other in result.places) == place - 1, "shared places leave the next ones free"


@EVERYWHERE
def test_the_roles_that_seats_have_from_the_start_are_one_a_seat(name: str, seats: int) -> None:
    assert set(game_of(name).roles) <= set(game_of(name).seats)
    assert len(game_of(name).roles.get(seats, ())) in (0, seats)


@EVERYWHERE
def test_to_follow_a_choice_is_to_decide_it_and_to_apply_what_happens(name: str, seats: int) -> None:
    for row in versions(name).values():
        follow, chance = row.follow, Chance(seed_of("follow", name))
        for match in told(name, seats) if follow else ():
            for moment in match.moments[:: max(1, len(match.moments) // 40)]:
                for action in moment.menu[:: max(1, len(moment.menu) // 5)]:
                    facts = row.decide(moment.state, moment.seat, action, chance)
                    assert follow
                    assert follow(moment.state, moment.seat, action, chance) == (
                        facts,
                        reduce(row.apply, facts, moment.state),
                    )


@pytest.mark.slow
@EVERYWHERE
def test_it_reruns_to_the_same_bytes(name: str, seats: int) -> None:
    game = game_of(name)
    for number in range(MATCHES):
        log = MemoryLog()
        players = [RandomPlayer(seed_of(name, seat, number)) for seat in range(seats)]
        options = options_for(name, seats, number)
        result = play(game, players, seed_of(name, seats, number), log=log, options=options)
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
def test_every_piece_is_explained_in_every_language(name: str, seats: int) -> None:
    about = game_of(name).about
    assert set(about) == set(LANGUAGES)
    assert len({tuple(texts) for texts in about.values()}) == 1, "each language explains the same"
    for match in told(name, seats):
        for state in match.states[:: max(1, len(match.states) // 40)]:
            for viewer in (PUBLIC, OMNISCIENT, *range(seats)):
                for zone in match.game.scene(match.game.view(state, viewer)).zones:
                    for piece in zone.pieces:
                        assert all(about_piece(piece, about[language]) for language in LANGUAGES), piece


@EVERYWHERE
def test_every_picture_tells_how_each_seat_stands(name: str, seats: int) -> None:
    for match in told(name, seats):
        for state in match.states[:: max(1, len(match.states) // 40)]:
            for viewer in (PUBLIC, OMNISCIENT, *range(seats)):
                assert match.game.scene(match.game.view(state, viewer)).meters


@EVERYWHERE
def test_nothing_leaves_the_box(name: str, seats: int) -> None:
    count = census_of(name)
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
        assert max(Counter(match.labels).values(), default=1) == 1


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
def test_no_sentence_in_chinese_has_english_words_in_it(name: str, seats: int) -> None:
    names = ["甲乙丙丁戊己庚辛壬癸子丑"[seat] for seat in range(seats)]
    for match in told(name, seats):
        for fact in match.facts:
            for viewer in (PUBLIC, OMNISCIENT):
                sentence = match.game.say(tell(fact, viewer), names, "zh-Hant")
                assert not re.search("[a-z]", sentence), sentence


@EVERYWHERE
def test_every_picture_can_be_labelled_in_every_language(name: str, seats: int) -> None:
    relabel = relabeller(game_of(name).labels["zh-Hant"])
    for match in told(name, seats):
        for state in match.states[:: max(1, len(match.states) // 40)]:
            for viewer in (PUBLIC, OMNISCIENT, 0):
                scene = match.game.scene(match.game.view(state, viewer))
                chinese = relabel(scene)
                assert strip(chinese) == strip(scene), "only what is read differs"
                assert [text for text in texts(chinese) if re.search("[a-z]", text)] == []


def texts(scene: Scene) -> Iterator[str]:
    yield from (meter.label for meter in scene.meters)
    for zone in scene.zones:
        yield from (zone.label, zone.note, *(piece.label for piece in zone.pieces))


def strip(scene: Scene) -> Scene:
    """Return a picture without its words."""
    zones = (
        replace(zone, label="", note="", pieces=tuple(replace(piece, label="") for piece in zone.pieces))
        for zone in scene.zones
    )
    return replace(scene, zones=tuple(zones), meters=tuple(replace(meter, label="") for meter in scene.meters))


@EVERYWHERE
def test_marks_name_kinds_of_facts(name: str, seats: int) -> None:
    game = game_of(name)
    kinds = {kind_of(kind.__name__) for kind in _kinds(game.facts)}
    assert set(game.marks) <= kinds


def _kinds(facts: Any) -> list[type]:
    kinds: Any = msgspec.inspect.type_info(facts)  # a union
    return [part.cls for part in kinds.types]


@EVERYWHERE
def test_the_log_decodes_to_the_facts(name: str, seats: int) -> None:
    log = MemoryLog()
    game = game_of(name)
    play(game, [RandomPlayer(seed_of(name, seat)) for seat in range(seats)], seed_of(name, seats), log=log)
    for entry, _ in states(game, lines_of(log)):
        if isinstance(entry, Happened):
            assert encode(fact_in(game, entry)) == bytes(entry.fact)
