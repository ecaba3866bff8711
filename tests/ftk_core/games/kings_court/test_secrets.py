"""Two courts that differ only in what somebody was not told look the same to them, at every moment."""

from __future__ import annotations

import pytest

from ftk_core.facts import PUBLIC, encode
from ftk_core.games.kings_court.claims import Claim
from ftk_core.games.kings_court.facts import Ask, Dismiss, Help, Hide, Say, Silence
from ftk_core.games.kings_court.picture import scene
from ftk_core.games.kings_court.rules import legal
from ftk_core.games.kings_court.sight import view
from ftk_core.games.kings_court.state import Table, bare, to_act
from tests.support.games.kings_court.courts import A, P, U, court, play, quiet, share

Shares = tuple[int | str, ...]


def look(table: Table, eyes: int) -> bytes:
    """Return all that a viewer is sent: view, picture and, when it is asked, menu."""
    seen = view(table, eyes)
    menu = legal(table, eyes) if eyes in to_act(table) else ()
    return encode([seen, scene(seen), menu])


def courts(shares: Shares, hidden: int, dismissed: str | None) -> list[Table]:
    """Return the court at every moment of the theft and of a short investigation."""
    moments = [play(bare(6), Hide(hidden))]
    moments.append(play(moments[-1], Dismiss(dismissed)))
    for taken in shares:
        moments.append(play(moments[-1], share(taken)))
    moments.append(quiet(moments[-1]))
    moments.append(play(moments[-1], Ask(2, "took")))
    moments.append(play(moments[-1], Say(Claim(topic="took", number=0, role=P))))
    moments.append(quiet(play(moments[-1], Silence())))
    return moments


ONE: tuple[Shares, int, str | None] = ((3, P, A, 4, U), 2, None)


@pytest.mark.parametrize(
    ("other", "alike"),
    [
        # what differs                                   who cannot tell
        (((5, P, A, 2, U), 2, None), (PUBLIC, 5)),
        (((3, P, 4, A, U), 2, None), (PUBLIC, 1, 2, 5)),
        (((3, P, U, 4, A), 2, None), (PUBLIC, 1, 2)),
        (((4, P, A, 4, U), 1, None), (PUBLIC, 2, 3, 4, 5)),
        (((P, 3, A, 4, U), 2, None), (PUBLIC, 3, 4, 5)),
        (((3, A, P, 4, U), 2, None), (PUBLIC, 1, 4, 5)),
    ],
)
def test_what_was_not_told_makes_no_difference(other: tuple[Shares, int, str | None], alike: tuple[int, ...]) -> None:
    for one, two in zip(courts(*ONE), courts(*other), strict=True):
        for eyes in alike:
            assert look(one, eyes) == look(two, eyes), eyes


def test_the_king_cannot_tell_who_took_what_nor_a_dismissal_from_a_theft() -> None:
    """K2: a dismissed card is missing like a stolen one."""
    one = court((P, 3, A, 4, U), hidden=2)
    for other in (court((3, P, U, 4, A), hidden=2), court((4, 3, P, A, U), hidden=2)):
        assert look(one, 0) == look(other, 0)
    stolen, dismissed = court((P, 2, 2, 2, A), hidden=2), court((2, 2, 2, A, 0), hidden=2, dismissed=P)
    assert look(stolen, 0) == look(dismissed, 0)


def test_an_empty_box_is_passed_on_like_a_full_one() -> None:
    """K4: to the others it is one fact more of the same kind."""
    full = play(bare(6), Hide(3), Dismiss(), Help(4), Help(3), Help(0, P), Help(0, U))
    empty = play(bare(6), Hide(3), Dismiss(), Help(5), Help(2), Help(0, P), Help(0, U))
    assert look(full, PUBLIC) == look(empty, PUBLIC)
    assert look(full, 3) == look(empty, 3)
