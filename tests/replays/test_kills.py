"""Kills at every entry of a match: the stored match shows no trace of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.test import override_settings
from pytest_django import Settings

from ftk_core import log_writer
from ftk_core.hash_chained_log import check_chain
from ftk_core.kit.built_in_bots import list_built_in_bots
from replays.event_stream_storage import pages_of
from replays.models import Match
from replays.playing.match_runner import play_match
from replays.services import verify_match
from tests.support import killed_workers
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.lengths import LONG

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

EVERY_ENTRY = LONG
"""True if workers die at every entry, as in `make chaos`; False if they die at some entries."""
TABLES = {
    "for_the_king": ("greedy", "random"),
    "kings_court": ("random", "accuser", "random", "liar", "random", "sleuth"),
    "pig": ("hold20", "random"),
    "to_court_the_king": ("hasty", "hasty"),
}
GAMES = sorted(TABLES) if LONG else ["kings_court", "pig"]

STORED: dict[killed_workers.Moment, Callable[[int], set[int]]] = {
    "unwritten": lambda entry: {entry},
    "on its way": lambda entry: {entry, entry + 1},
    "written": lambda entry: {entry + 1},
    "told": lambda entry: {entry + 1},
}
"""Moment of a kill -> numbers of entries that the killed worker may have stored."""


@pytest.fixture(autouse=True)
def _an_entry_a_page(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Store each entry as a page of its own, with the same bytes each time."""
    monkeypatch.setattr(log_writer, "MAX_PAGE_ENTRIES", 1)
    with override_settings(METERED=False, BOT_CAGE="forkserver"):
        yield


def ordered(game: str) -> Match:
    house = list_built_in_bots(game)
    return create_waiting_match([create_active_version(house[name], game=game) for name in TABLES[game]])


def lines(match: Match) -> list[bytes]:
    return [body for *_, body, _ in killed_workers.list_pages(match)]


def boundaries(length: int) -> list[tuple[int, killed_workers.Moment]]:
    """Return the entries and moments at which workers are killed."""
    few = (0, 1, length // 2, length - 1) if EVERY_ENTRY else (1, length - 1)
    moments = 4 if EVERY_ENTRY else 1
    return [
        (entry, killed_workers.MOMENTS[(number + length + n) % 4])
        for number, entry in enumerate(few)
        for n in range(moments)
    ]


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_a_match_whose_workers_are_killed_repeatedly_has_the_same_log_as_without_kills(
    game: str, settings: Settings
) -> None:
    match = ordered(game)
    assert play_match(match.pk)
    undisturbed, told = killed_workers.list_pages(match), killed_workers.read_seat_results(match)
    dying = range(len(undisturbed)) if EVERY_ENTRY else range(1, len(undisturbed), len(undisturbed) // 3)
    settings.ATTEMPTS = len(dying) + 1
    killed_workers.reset_to_unplayed(match)
    for entry in dying:
        moment = killed_workers.MOMENTS[entry % 4]
        killed_workers.kill_worker_at(match, entry, moment)
        assert len(killed_workers.list_pages(match)) in STORED[moment](entry)
    assert play_match(match.pk)
    assert killed_workers.list_pages(match) == undisturbed
    assert killed_workers.read_seat_results(match) == told
    match.refresh_from_db()
    assert (match.status, match.attempts) == (Match.Status.CLOSED, len(dying) + 1)
    assert verify_match(match.pk)


@pytest.mark.parametrize("game", GAMES)
def test_killing_a_worker_at_any_log_entry_leaves_the_log_of_the_resumed_match_unchanged(game: str) -> None:
    match = ordered(game)
    assert play_match(match.pk)
    undisturbed, told = killed_workers.list_pages(match), killed_workers.read_seat_results(match)
    assert [first for first, *_ in undisturbed] == list(range(len(undisturbed))), "an entry a page"
    for entry, moment in boundaries(len(undisturbed)):
        killed_workers.reset_to_unplayed(match)
        killed_workers.kill_worker_at(match, entry, moment)
        assert len(killed_workers.list_pages(match)) in STORED[moment](entry)
        assert play_match(match.pk)
        assert killed_workers.list_pages(match) == undisturbed, f"killed at entry {entry}, {moment}"
        assert killed_workers.read_seat_results(match) == told
        match.refresh_from_db()
        assert (match.status, match.attempts) == (Match.Status.CLOSED, 2)
    assert list(check_chain(pages_of(match.stream_id)))
    assert verify_match(match.pk)


@pytest.mark.parametrize("step", ["close_match", "match_ended"])
def test_a_match_ends_normally_if_its_worker_is_killed_after_the_last_log_entry(step: str) -> None:
    match = ordered("pig")
    assert play_match(match.pk)
    undisturbed, told = killed_workers.list_pages(match), killed_workers.read_seat_results(match)
    killed_workers.reset_to_unplayed(match)
    killed_workers.kill_worker_before(match, step)
    assert killed_workers.list_pages(match) == undisturbed
    closed_already = step == "match_ended"
    assert play_match(match.pk) != closed_already
    assert killed_workers.list_pages(match) == undisturbed
    assert killed_workers.read_seat_results(match) == told
    assert Match.objects.get(pk=match.pk).status == Match.Status.CLOSED


@pytest.mark.parametrize("moment", ["unwritten", "written", "told"])
def test_a_suspended_worker_writes_nothing_after_its_lease_expired(moment: killed_workers.Moment) -> None:
    match = ordered("pig")
    sleeper = killed_workers.fork_worker(match, 20, moment, killed_workers.pause_here)
    killed_workers.wait_until_paused(sleeper)
    before = killed_workers.list_pages(match)
    assert not play_match(match.pk), "the lease is still good"
    killed_workers.expire_lease(match)
    assert play_match(match.pk)
    after, told = killed_workers.list_pages(match), killed_workers.read_seat_results(match)
    assert after[: len(before)] == before
    killed_workers.resume_paused(sleeper)
    assert sleeper.exitcode == killed_workers.GAVE_UP
    assert (killed_workers.list_pages(match), killed_workers.read_seat_results(match)) == (after, told)
    assert verify_match(match.pk)
    assert Match.objects.get(pk=match.pk).attempts == 2


def test_a_paused_worker_writes_nothing_while_another_worker_plays_its_match() -> None:
    match = ordered("pig")
    first = killed_workers.fork_worker(match, 20, "unwritten", killed_workers.pause_here)
    killed_workers.wait_until_paused(first)
    killed_workers.expire_lease(match)
    heir = killed_workers.fork_worker(match, 40, "unwritten", killed_workers.pause_here)
    killed_workers.wait_until_paused(heir)
    before = killed_workers.list_pages(match)
    killed_workers.resume_paused(first)
    assert first.exitcode == killed_workers.GAVE_UP
    assert killed_workers.list_pages(match) == before
    killed_workers.resume_paused(heir)
    assert heir.exitcode == killed_workers.SPARED
    assert verify_match(match.pk)
    assert Match.objects.get(pk=match.pk).attempts == 2


def test_the_log_of_an_abandoned_match_keeps_its_first_entries() -> None:
    match = ordered("pig")
    killed_workers.kill_worker_at(match, 30, "told")
    beginning = lines(match)
    Match.objects.filter(pk=match.pk).update(attempts=50)
    assert not play_match(match.pk)
    assert lines(match)[:-1] == beginning
    verdict = verify_match(match.pk)
    assert (verdict.entries, verdict.places, verdict.seed) == (len(beginning) + 1, (), "")
    assert not play_match(match.pk), "it has ended"


def test_a_bot_that_answers_differently_when_a_match_is_resumed_is_recorded_but_not_penalised() -> None:
    moody = "import os\nfrom ftk_core.kit.bot import run\nrun(lambda ask: os.urandom(1)[0] % len(ask.menu))\n"
    match = create_waiting_match([create_active_version(moody), create_active_version()])
    killed_workers.kill_worker_at(match, 60, "told")
    before = lines(match)
    assert play_match(match.pk)
    assert lines(match)[: len(before)] == before
    assert [(seat.reproducible, seat.excuses) for seat in match.seats.order_by("seat")] == [(False, 0), (True, 0)]
