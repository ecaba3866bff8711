"""What a person at any table is offered can be told apart and pointed at, and tells nothing that the menu does not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ftk_core.games import shelf
from ftk_core.hands import BARE_HANDS, kind_of_action
from ftk_core.scene import Scene
from ftk_core.words import LANGUAGES
from tests.support.laws.tables import EVERY, Moment, told

EVERYWHERE = pytest.mark.parametrize(("name", "seats"), EVERY)
MOMENTS = 25
"""At so many moments of a match every item is read."""
NAMES = tuple(f"甲{number}" for number in range(12))


def some(name: str, seats: int) -> Iterator[Moment]:
    for match in told(name, seats):
        yield from match.moments[:: max(1, len(match.moments) // MOMENTS)]


@pytest.mark.slow
@EVERYWHERE
def test_every_item_has_a_sentence_in_every_language_or_is_told_apart_by_its_pieces(name: str, seats: int) -> None:
    hands = shelf()[name].by_hand
    for moment in some(name, seats):
        for language in LANGUAGES:
            said = [
                (hands.phrase(action, NAMES, language), hands.touches(action, moment.seat)) for action in moment.menu
            ]
            assert all(sentence and "{" not in sentence for sentence, _ in said)
            assert len(set(said)) == len(moment.menu)


@EVERYWHERE
def test_what_an_item_is_about_lies_in_the_picture_of_its_seat(name: str, seats: int) -> None:
    game = shelf()[name]
    for moment in some(name, seats):
        scene: Scene = game.scene(game.view(moment.state, moment.seat))
        there = {zone.key for zone in scene.zones} | {piece.key for zone in scene.zones for piece in zone.pieces}
        for action in moment.menu:
            touched = game.by_hand.touches(action, moment.seat)
            assert set(touched) <= there, action
            assert len(set(touched)) == len(touched)


@EVERYWHERE
def test_a_game_without_sentences_is_offered_all_the_same(name: str, seats: int) -> None:
    for moment in some(name, seats):
        said = [BARE_HANDS.phrase(action, NAMES, "en") for action in moment.menu]
        assert len(set(said)) == len(moment.menu)
        assert all(BARE_HANDS.touches(action, moment.seat) is not None for action in moment.menu)


@pytest.mark.parametrize("name", shelf())
def test_a_guide_says_something_of_every_kind_of_question_in_every_language(name: str) -> None:
    guide = shelf()[name].by_hand.guide
    assert set(guide) == set(LANGUAGES)
    assert len({frozenset(rows) for rows in guide.values()}) == 1
    for seats in (min(shelf()[name].seats), max(shelf()[name].seats)):
        for moment in some(name, seats):
            kinds = {kind_of_action(action) for action in moment.menu}
            assert len(kinds) == 1 == len(moment.menu) or kinds & set(guide["en"])
