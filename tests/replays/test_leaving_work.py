"""A worker that is to leave gives up what it does; no worker goes on with what other software began."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils import timezone

from bots.turns import do_next
from foundation import draining
from ftk_core import scribe
from ftk_core.games import build_of
from replays.models import Match
from replays.playing import builds, leases, runner
from replays.playing.runner import play_match
from replays.review_models import Review
from replays.reviews import working
from replays.reviews.asking import ask_at_the_shell
from replays.services import verify_match
from replays.store import StreamLog
from tests.support.factories import active_version, waiting_match
from tests.support.reviewable import closed_match

pytestmark = pytest.mark.django_db(transaction=True)
OTHER = "0.0.9+0123456789abcdef"


@pytest.fixture(autouse=True)
def _stays() -> Iterator[None]:
    """Let nobody be asked to leave behind the test."""
    yield
    draining.stay()


@pytest.fixture
def match() -> Match:
    return waiting_match([active_version(), active_version()])


def begun(match: Match, monkeypatch: pytest.MonkeyPatch) -> Match:
    """Return the match given up behind its first page by a worker that was asked to leave."""
    durable = runner._durable

    def ask(*words: object) -> None:
        draining.ask_to_leave()
        durable(*words)  # type: ignore[arg-type]  # whatever it is given

    monkeypatch.setattr(scribe, "PAGE_ENTRIES", 10)
    monkeypatch.setattr(runner, "_durable", ask)
    assert not play_match(match.pk)
    monkeypatch.undo()
    match.refresh_from_db()
    return match


def test_what_a_leaving_worker_has_stored_is_gone_on_with_at_once(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = StreamLog(begun(match, monkeypatch).stream_id).length
    assert stored
    assert (match.status, match.attempts) == (Match.Status.PLAYING, 0)
    assert match.lease_until <= timezone.now()
    draining.stay()
    assert play_match(match.pk)
    assert StreamLog(match.stream_id).length > stored
    assert verify_match(match.pk)


@pytest.mark.slow
def test_a_review_is_gone_on_with_where_a_leaving_worker_left_it(monkeypatch: pytest.MonkeyPatch) -> None:
    row = ask_at_the_shell(closed_match().pk, "all")
    store = working._Reckoner._store

    def ask(reckoner: working._Reckoner, lines: list[bytes], *, last: bool = False) -> None:
        store(reckoner, lines, last=last)
        draining.ask_to_leave()

    monkeypatch.setattr(working, "PAGE_SECONDS", 0.0)
    monkeypatch.setattr(working._Reckoner, "_store", ask)
    assert not working.reckon(row.pk)
    monkeypatch.undo()
    row.refresh_from_db()
    assert (row.status, row.attempts) == (Review.Status.RUNNING, 0)
    assert 0 < row.done < row.total
    draining.stay()
    assert working.reckon(row.pk)
    row.refresh_from_db()
    assert (row.status, row.done) == (Review.Status.DONE, row.total)


def test_a_leaving_worker_begins_nothing(match: Match) -> None:
    draining.ask_to_leave()
    assert not do_next("league")
    match.refresh_from_db()
    assert (match.status, match.attempts) == (Match.Status.WAITING, 0)


def test_a_worker_that_is_to_finish_plays_on_and_begins_nothing(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    durable = runner._durable

    def ask(*words: object) -> None:
        draining.ask_to_finish()
        durable(*words)  # type: ignore[arg-type]  # whatever it is given

    monkeypatch.setattr(runner, "_durable", ask)
    assert play_match(match.pk)
    another = waiting_match([active_version(), active_version()])
    assert not do_next("league")
    another.refresh_from_db()
    assert (another.status, another.attempts) == (Match.Status.WAITING, 0)
    draining.ask_to_leave()
    assert draining.is_asked_to_leave()


def test_a_match_that_other_software_began_waits_for_a_worker_that_has_it(
    match: Match, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    begun(match, monkeypatch)
    draining.stay()
    assert match.build == build_of("pig")
    Match.objects.filter(pk=match.pk).update(build=OTHER)
    assert not play_match(match.pk)
    assert leases.in_turn("league") == []
    assert builds.count_strange() == {OTHER: 1}
    assert OTHER in client.get("/status/").content.decode()
    Match.objects.filter(pk=match.pk).update(build=build_of("pig"))
    assert builds.count_strange() == {}
    assert play_match(match.pk)


def test_a_match_by_rules_that_are_not_on_the_shelf_waits(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(match, monkeypatch)
    draining.stay()
    Match.objects.filter(pk=match.pk).update(version=99)
    assert not play_match(match.pk)
