"""The longest menu is as long as the rules say; no box makes a longer one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations_with_replacement

import pytest
from msgspec.structs import replace

from ftk_core.games.kings_court.facts import PlayerQuestioned
from ftk_core.games.kings_court.interrogation_rules import answer_menu, king_menu, statement_menu
from ftk_core.games.kings_court.roles_and_options import CARDS, InvalidBoxContentsError, check_box
from ftk_core.games.kings_court.rules import GAME, LONGEST_MENU
from ftk_core.games.kings_court.table_state import TableState, new_court
from ftk_core.games.kings_court.theft_rules import box_menu, dismiss_menu
from ftk_core.games.kings_court.translatable_sentence_templates import QUESTIONS

pytestmark = pytest.mark.slow


def tables() -> Iterator[TableState]:
    """Yield a court of every size with every valid box."""
    for seats in GAME.seats:
        for fake in (False, True):
            for cards in combinations_with_replacement(CARDS, seats - 3 - fake):
                with suppress(InvalidBoxContentsError):
                    yield new_court(seats, check_box(seats, cards, fake=fake), fake=fake)


def menus(table: TableState) -> Iterator[int]:
    """Yield the length of every menu, each with the largest possible number of choices."""
    yield len(king_menu(table))
    yield from (len(statement_menu(table, seat)) for seat in (1, 2))
    for topic in QUESTIONS("en"):
        asked = PlayerQuestioned(1, topic, 2 if topic == "role_of" else None)  # type: ignore[arg-type]  # the topics by name
        yield len(answer_menu(replace(table, answering=asked)))
    yield len(dismiss_menu(table))
    yield len(box_menu(replace(table, at=table.seats - 1)))


def test_the_longest_menu_for_any_contents_of_the_diamond_box_has_the_documented_length() -> None:
    lengths = [length for table in tables() for length in menus(table)]
    assert max(lengths) == LONGEST_MENU == GAME.longest_menu
