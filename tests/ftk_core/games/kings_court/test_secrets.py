"""Two courts that differ only in a secret look the same to every viewer who may not know it."""

from __future__ import annotations

import pytest

from ftk_core.facts import PUBLIC, encode
from ftk_core.games.kings_court.facts import (
    AskAction,
    ClaimAction,
    DismissAction,
    HideAction,
    SilenceAction,
    TakeAction,
)
from ftk_core.games.kings_court.player_claims import PlayerClaim
from ftk_core.games.kings_court.player_view import view
from ftk_core.games.kings_court.rules import legal
from ftk_core.games.kings_court.table_scene import scene
from ftk_core.games.kings_court.table_state import TableState, new_court, to_act
from tests.support.games.kings_court.courts import A, P, U, build_court, build_share, pass_until_king_acts, play

Shares = tuple[int | str, ...]


def look(table: TableState, eyes: int) -> bytes:
    """Return everything that a viewer receives: view, picture and, if it must choose, menu."""
    seen = view(table, eyes)
    menu = legal(table, eyes) if eyes in to_act(table) else ()
    return encode([seen, scene(seen), menu])


def courts(shares: Shares, hidden: int, dismissed: str | None) -> list[TableState]:
    """Return the court at every moment of the theft and of a short investigation."""
    moments = [play(new_court(6), HideAction(hidden))]
    moments.append(play(moments[-1], DismissAction(dismissed)))
    for taken in shares:
        moments.append(play(moments[-1], build_share(taken)))
    moments.append(pass_until_king_acts(moments[-1]))
    moments.append(play(moments[-1], AskAction(2, "took")))
    moments.append(play(moments[-1], ClaimAction(PlayerClaim(topic="took", number=0, role=P))))
    moments.append(pass_until_king_acts(play(moments[-1], SilenceAction())))
    return moments


ONE: tuple[Shares, int, str | None] = ((3, P, A, 4, U), 2, None)


@pytest.mark.parametrize(
    ("other", "alike"),
    [
        # the other court                                viewers who cannot tell the two apart
        (((5, P, A, 2, U), 2, None), (PUBLIC, 5)),
        (((3, P, 4, A, U), 2, None), (PUBLIC, 1, 2, 5)),
        (((3, P, U, 4, A), 2, None), (PUBLIC, 1, 2)),
        (((4, P, A, 4, U), 1, None), (PUBLIC, 2, 3, 4, 5)),
        (((P, 3, A, 4, U), 2, None), (PUBLIC, 3, 4, 5)),
        (((3, A, P, 4, U), 2, None), (PUBLIC, 1, 4, 5)),
    ],
)
def test_information_hidden_from_a_viewer_does_not_change_that_viewers_view_and_picture(
    other: tuple[Shares, int, str | None], alike: tuple[int, ...]
) -> None:
    for one, two in zip(courts(*ONE), courts(*other), strict=True):
        for eyes in alike:
            assert look(one, eyes) == look(two, eyes), eyes


def test_the_view_of_the_king_shows_neither_who_stole_nor_whether_the_first_player_removed_a_card() -> None:
    """K2: the King cannot distinguish a removed card from a stolen one."""
    one = build_court((P, 3, A, 4, U), hidden=2)
    for other in (build_court((3, P, U, 4, A), hidden=2), build_court((4, 3, P, A, U), hidden=2)):
        assert look(one, 0) == look(other, 0)
    stolen, dismissed = build_court((P, 2, 2, 2, A), hidden=2), build_court((2, 2, 2, A, 0), hidden=2, dismissed=P)
    assert look(stolen, 0) == look(dismissed, 0)


def test_the_split_of_stolen_diamonds_between_two_players_is_hidden_from_the_public_and_from_later_players() -> None:
    """K4: others see only that each of the two players took something."""
    full = play(
        new_court(6), HideAction(3), DismissAction(), TakeAction(4), TakeAction(3), TakeAction(0, P), TakeAction(0, U)
    )
    empty = play(
        new_court(6), HideAction(3), DismissAction(), TakeAction(5), TakeAction(2), TakeAction(0, P), TakeAction(0, U)
    )
    assert look(full, PUBLIC) == look(empty, PUBLIC)
    assert look(full, 3) == look(empty, 3)
