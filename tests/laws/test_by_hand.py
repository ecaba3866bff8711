"""Choices shown to a person: they are distinguishable, visible on the picture, and reveal no secret."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ftk_core.games import list_games
from ftk_core.i18n import BUILT_IN_LANGUAGES
from ftk_core.views.human_player_texts import DEFAULT_PLAY_TEXTS, kind_of_action
from ftk_core.views.scene import TableScene
from tests.support.laws.tables import GAMES_AND_SIZES, SeatDecisionPoint, play_random_matches

EVERYWHERE = pytest.mark.parametrize(("name", "seats"), GAMES_AND_SIZES)
MOMENTS = 25
"""Number of moments of a match at which every menu item is read."""
NAMES = tuple(f"甲{number}" for number in range(12))


def some(name: str, seats: int) -> Iterator[SeatDecisionPoint]:
    for match in play_random_matches(name, seats):
        yield from match.moments[:: max(1, len(match.moments) // MOMENTS)]


@pytest.mark.slow
@EVERYWHERE
def test_every_menu_item_has_a_distinct_sentence_or_distinct_game_pieces_in_every_language(
    name: str, seats: int
) -> None:
    hands = list_games()[name].by_hand
    for moment in some(name, seats):
        for language in BUILT_IN_LANGUAGES:
            said = [
                (hands.phrase(action, NAMES, language), hands.touches(action, moment.seat)) for action in moment.menu
            ]
            assert all(sentence and "{" not in sentence for sentence, _ in said)
            assert len(set(said)) == len(moment.menu)


@pytest.mark.slow
@EVERYWHERE
def test_the_game_pieces_of_every_menu_item_are_visible_to_the_player_who_chooses(name: str, seats: int) -> None:
    game = list_games()[name]
    for moment in some(name, seats):
        scene: TableScene = game.scene(game.view(moment.state, moment.seat))
        there = {zone.key for zone in scene.zones} | {piece.key for zone in scene.zones for piece in zone.pieces}
        for action in moment.menu:
            touched = game.by_hand.touches(action, moment.seat)
            assert set(touched) <= there, action
            assert len(set(touched)) == len(touched)


@EVERYWHERE
def test_every_legal_action_has_a_different_default_sentence_in_a_game_without_own_sentences(
    name: str, seats: int
) -> None:
    for moment in some(name, seats):
        said = [DEFAULT_PLAY_TEXTS.phrase(action, NAMES, "en") for action in moment.menu]
        assert len(set(said)) == len(moment.menu)
        assert all(DEFAULT_PLAY_TEXTS.touches(action, moment.seat) is not None for action in moment.menu)


@pytest.mark.parametrize("name", list_games())
def test_the_help_text_for_human_players_explains_every_kind_of_question_in_every_language(name: str) -> None:
    guide = list_games()[name].by_hand.guide
    english = guide("en")
    for language in {*BUILT_IN_LANGUAGES} - {"en"}:
        assert guide(language).keys() == english.keys()
        assert [kind for kind, text in guide(language).items() if not text or text == english[kind]] == []
    for seats in (min(list_games()[name].seats), max(list_games()[name].seats)):
        for moment in some(name, seats):
            kinds = {kind_of_action(action) for action in moment.menu}
            assert kinds <= {kind for kind, text in english.items() if text}
