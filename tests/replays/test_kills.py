"""A worker is killed at every entry of a match, and nobody can tell from what is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.test import override_settings
from pytest_django import Settings

from ftk_core import scribe
from ftk_core.kit.house import house_bots
from ftk_core.log import check_chain
from replays.models import Match
from replays.playing.runner import play_match
from replays.services import verify_match
from replays.store import pages_of
from tests.support import victims
from tests.support.factories import active_version, waiting_match
from tests.support.lengths import LONG

pytestmark = pytest.mark.django_db(transaction=True)

EVERY_ENTRY = LONG
"""Whether workers die at every entry, as `make chaos` wants, or at some."""
TABLES = {
    "for_the_king": ("greedy", "random"),
    "kings_court": ("random", "accuser", "random", "liar", "random", "sleuth"),
    "pig": ("hold20", "random"),
    "to_court_the_king": ("hasty", "hasty"),
}

STORED: dict[victims.Moment, Callable[[int], set[int]]] = {
    "unwritten": lambda entry: {entry},
    "on its way": lambda entry: {entry, entry + 1},
    "written": lambda entry: {entry + 1},
    "told": lambda entry: {entry + 1},
}
"""How many entries a worker leaves behind that dies at one."""


@pytest.fixture(autouse=True)
def _an_entry_a_page(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make each entry's number a boundary, and its bytes the same whenever it is written."""
    monkeypatch.setattr(scribe, "PAGE_ENTRIES", 1)
    with override_settings(METERED=False, BOT_CAGE="forkserver"):
        yield


def ordered(game: str) -> Match:
    house = house_bots(game)
    return waiting_match([active_version(house[name], game=game) for name in TABLES[game]])


def lines(match: Match) -> list[bytes]:
    return [body for *_, body, _ in victims.pages(match)]


def boundaries(length: int) -> list[tuple[int, victims.Moment]]:
    """Return at which entries and moments single workers die."""
    few = (0, 1, length // 2, length - 1) if EVERY_ENTRY else (1, length - 1)
    moments = 4 if EVERY_ENTRY else 1
    return [
        (entry, victims.MOMENTS[(number + length + n) % 4]) for number, entry in enumerate(few) for n in range(moments)
    ]


@pytest.mark.parametrize("game", TABLES)
def test_a_match_of_which_every_entry_costs_a_worker_its_life_has_the_same_log(game: str, settings: Settings) -> None:
    match = ordered(game)
    assert play_match(match.pk)
    undisturbed, told = victims.pages(match), victims.told_of(match)
    dying = range(len(undisturbed)) if EVERY_ENTRY else range(1, len(undisturbed), len(undisturbed) // 3)
    settings.ATTEMPTS = len(dying) + 1
    victims.unplayed(match)
    for entry in dying:
        moment = victims.MOMENTS[entry % 4]
        victims.kill_at(match, entry, moment)
        assert len(victims.pages(match)) in STORED[moment](entry)
    assert play_match(match.pk)
    assert victims.pages(match) == undisturbed
    assert victims.told_of(match) == told
    match.refresh_from_db()
    assert (match.status, match.attempts) == (Match.Status.CLOSED, len(dying) + 1)
    assert verify_match(match.pk)


@pytest.mark.parametrize("game", TABLES)
def test_a_worker_killed_at_an_entry_leaves_no_trace_in_the_log(game: str) -> None:
    match = ordered(game)
    assert play_match(match.pk)
    undisturbed, told = victims.pages(match), victims.told_of(match)
    assert [first for first, *_ in undisturbed] == list(range(len(undisturbed))), "an entry a page"
    for entry, moment in boundaries(len(undisturbed)):
        victims.unplayed(match)
        victims.kill_at(match, entry, moment)
        assert len(victims.pages(match)) in STORED[moment](entry)
        assert play_match(match.pk)
        assert victims.pages(match) == undisturbed, f"killed at entry {entry}, {moment}"
        assert victims.told_of(match) == told
        match.refresh_from_db()
        assert (match.status, match.attempts) == (Match.Status.CLOSED, 2)
    assert list(check_chain(pages_of(match.stream_id)))
    assert verify_match(match.pk)


@pytest.mark.parametrize("step", ["close", "match_ended"])
def test_a_worker_killed_behind_the_last_entry_leaves_a_match_that_ends_like_any_other(step: str) -> None:
    match = ordered("pig")
    assert play_match(match.pk)
    undisturbed, told = victims.pages(match), victims.told_of(match)
    victims.unplayed(match)
    victims.kill_before(match, step)
    assert victims.pages(match) == undisturbed
    closed_already = step == "match_ended"
    assert play_match(match.pk) != closed_already
    assert victims.pages(match) == undisturbed
    assert victims.told_of(match) == told
    assert Match.objects.get(pk=match.pk).status == Match.Status.CLOSED


@pytest.mark.parametrize("moment", ["unwritten", "written", "told"])
def test_a_paused_worker_that_wakes_after_its_lease_ran_out_writes_nothing(moment: victims.Moment) -> None:
    match = ordered("pig")
    sleeper = victims.worker(match, 20, moment, victims.pause_here)
    victims.wait_until_paused(sleeper)
    before = victims.pages(match)
    assert not play_match(match.pk), "the lease is still good"
    victims.expire(match)
    assert play_match(match.pk)
    after, told = victims.pages(match), victims.told_of(match)
    assert after[: len(before)] == before
    victims.wake(sleeper)
    assert sleeper.exitcode == victims.GAVE_UP
    assert (victims.pages(match), victims.told_of(match)) == (after, told)
    assert verify_match(match.pk)
    assert Match.objects.get(pk=match.pk).attempts == 2


def test_a_paused_worker_that_wakes_while_its_heir_plays_writes_nothing() -> None:
    match = ordered("pig")
    first = victims.worker(match, 20, "unwritten", victims.pause_here)
    victims.wait_until_paused(first)
    victims.expire(match)
    heir = victims.worker(match, 40, "unwritten", victims.pause_here)
    victims.wait_until_paused(heir)
    before = victims.pages(match)
    victims.wake(first)
    assert first.exitcode == victims.GAVE_UP
    assert victims.pages(match) == before
    victims.wake(heir)
    assert heir.exitcode == victims.SPARED
    assert verify_match(match.pk)
    assert Match.objects.get(pk=match.pk).attempts == 2


def test_a_match_given_up_in_its_middle_keeps_its_beginning() -> None:
    match = ordered("pig")
    victims.kill_at(match, 30, "told")
    beginning = lines(match)
    Match.objects.filter(pk=match.pk).update(attempts=50)
    assert not play_match(match.pk)
    assert lines(match)[:-1] == beginning
    verdict = verify_match(match.pk)
    assert (verdict.entries, verdict.places, verdict.seed) == (len(beginning) + 1, (), "")
    assert not play_match(match.pk), "it has ended"


def test_a_bot_that_answers_otherwise_when_it_is_asked_again_is_marked_and_not_punished() -> None:
    moody = "import os\nfrom ftk_core.kit.bot import run\nrun(lambda ask: os.urandom(1)[0] % len(ask.menu))\n"
    match = waiting_match([active_version(moody), active_version()])
    victims.kill_at(match, 60, "told")
    before = lines(match)
    assert play_match(match.pk)
    assert lines(match)[: len(before)] == before
    assert [(seat.reproducible, seat.excuses) for seat in match.seats.order_by("seat")] == [(False, 0), (True, 0)]
