"""Whoever sends much waits for himself: by kind, by author, by the number of bells."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from celery import current_app
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from bots import tasks, trials, turns
from bots.models import BotVersion, Share
from bots.turns import Waiting, in_order
from deploy.messaging.broker import NAMES, WITH_BOTS
from deploy.settings import WEIGHTS
from deploy.supervisor.roles import Plan, roles
from foundation.doorbell import bells
from ftk_core.kit.house import house_bots
from ftk_core.rng import seed_of
from replays.models import Match
from replays.playing import leases
from replays.services import Order, order_matches
from tests.support.factories import CLOCK, AuthorFactory, BotFactory, active_version, package_of, waiting_match

START = datetime(2026, 1, 1, tzinfo=UTC)
MOMENTS = st.integers(0, 50).map(lambda minutes: START + timedelta(minutes=minutes))
THINGS = st.lists(st.builds(Waiting, st.integers(0, 999), st.integers(1, 5), MOMENTS), max_size=30)


@given(THINGS, st.dictionaries(st.integers(1, 5), st.integers(0, 3)), st.dictionaries(st.integers(1, 5), MOMENTS))
def test_the_author_who_has_waited_longest_is_next_and_nobody_has_more_than_his_own(
    waiting: list[Waiting], running: dict[int | None, int], began: dict[int | None, datetime]
) -> None:
    order = in_order(waiting, running, began)
    authors = [thing.author for thing in order]
    assert len(set(authors)) == len(authors)
    assert set(authors) == {thing.author for thing in waiting if not running.get(thing.author, 0)}
    assert all(thing.since == min(t.since for t in waiting if t.author == thing.author) for thing in order)
    waits = [max(thing.since, began.get(thing.author, thing.since)) for thing in order]
    assert waits == sorted(waits)


def on_trial(count: int, source: Any = None) -> list[BotVersion]:
    """Return so many versions of one author that wait for their trials."""
    author, package = AuthorFactory.create(), package_of(source or house_bots("pig")["hold20"])
    bots = [BotFactory.create(owner=author) for _ in range(count)]
    return [BotVersion.objects.create(bot=bot, number=1, package=package) for bot in bots]


@pytest.mark.django_db(transaction=True)
def test_sixteen_trials_of_one_author_hold_one_worker_and_the_next_author_finds_another() -> None:
    flood, single = on_trial(16), on_trial(1)
    assert trials.claim_next(["python"]) == flood[0].pk
    assert trials.claim_next(["python"]) == single[0].pk
    assert trials.claim_next(["python"]) is None, "whatever else waits is his who has one running"
    BotVersion.objects.filter(pk=flood[0].pk).update(status=BotVersion.Status.ACTIVE)
    late = on_trial(1)
    BotVersion.objects.filter(pk=late[0].pk).update(uploaded_at=flood[0].uploaded_at)
    assert trials.claim_next(["python"]) == late[0].pk, "who had one just now waits behind who had none"
    assert trials.claim_next(["python"]) == flood[1].pk


@pytest.mark.django_db(transaction=True)
def test_a_trial_whose_worker_died_is_played_by_another_and_one_that_goes_on_is_not(settings: Any) -> None:
    (version,) = on_trial(1)
    assert trials.claim_next(["python"]) == version.pk
    beat = trials.TrialBeat(version.pk)
    settings.TRIAL_SECONDS = 0.0
    BotVersion.objects.filter(pk=version.pk).update(trial_until=timezone.now() - timedelta(seconds=1))
    settings.TRIAL_SECONDS = 60.0
    beat._last -= 21
    beat()
    assert trials.claim_next(["python"]) is None
    BotVersion.objects.filter(pk=version.pk).update(trial_until=timezone.now() - timedelta(seconds=1))
    assert trials.claim_next(["python"]) == version.pk


def friendly(author: Any, number: int) -> Match:
    versions = [active_version(), active_version()]
    seed = seed_of("friendly", number)
    return order_matches([Order(game="pig", versions=versions, seed=seed, clock=CLOCK, asked_by=author)])[0]


@pytest.mark.django_db
def test_an_author_has_one_friendly_match_running() -> None:
    one, other = AuthorFactory.create(), AuthorFactory.create()
    first, _, third = friendly(one, 1), friendly(one, 2), friendly(other, 3)
    assert leases.in_turn("friendly") == [first.pk, third.pk]
    assert leases.claim(first.pk, "worker")
    assert leases.in_turn("friendly") == [third.pk]
    assert leases.in_turn("league") == []


@pytest.mark.django_db(transaction=True)
def test_no_more_bells_wait_than_things_however_often_it_is_swept() -> None:
    with current_app.connection_for_write() as connection:
        for name in NAMES:
            connection.default_channel.queue_declare(name)
            connection.default_channel.queue_purge(name)
    on_trial(2)
    waiting_match([active_version(), active_version()])
    for _ in range(20):
        tasks.sweep()
    assert [bells(name) for name in WITH_BOTS] == [1, 0, 0, 0, 2, 0]
    BotVersion.objects.filter(status="trial").update(status="refused")
    tasks.sweep()
    assert bells("trials") == 2, "what is too many is taken off by whoever looks in vain"


@pytest.mark.django_db(transaction=True)
def test_kinds_that_wait_at_one_worker_are_done_by_their_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    done = list[str]()

    def kind(name: str) -> turns.Kind:
        return turns.Kind(name=name, waiting=lambda: 1, take=lambda: done.append(name) is None)

    monkeypatch.setattr(turns, "KINDS", {name: kind(name) for name in ("league", "friendly")})
    monkeypatch.setenv(turns.SERVED, "league friendly")
    for number in range(100):
        turns.do_next(("league", "friendly")[number % 2])
    assert Counter(done) == {"league": 80, "friendly": 20}
    assert done[:10].count("friendly") == 2
    Share.objects.filter(kind="friendly").update(spent=0)
    monkeypatch.setitem(turns.KINDS, "friendly", turns.Kind(name="friendly", waiting=lambda: 0, take=lambda: False))
    turns.do_next("league")
    assert done[-1] == "league"


@pytest.mark.parametrize(("on_request", "expected"), [(False, ["taken"]), (True, ["asked"])])
def test_a_kind_that_stands_alone_is_looked_at_once_for_each_turn(
    monkeypatch: pytest.MonkeyPatch, on_request: bool, expected: list[str]
) -> None:
    said = list[str]()

    def take() -> bool:
        said.append("taken")
        return False

    def waiting() -> int:
        said.append("asked")
        return 0

    alone = turns.Kind(name="alone", waiting=waiting, take=take, on_request=on_request)
    monkeypatch.setattr(turns, "KINDS", {"alone": alone})
    monkeypatch.setenv(turns.SERVED, "alone")
    assert turns.do_next("alone") == ""
    assert said == expected, "what is done on request may begin although nothing of it waits"


def test_nothing_but_matches_is_done_by_those_who_play_leagues(tmp_path: Any) -> None:
    queues = {
        role.name: set(role.command[role.command.index("-Q") + 1].split(","))
        for role in bots_of(Plan(var=tmp_path, database_url=""))
    }
    assert queues == {"matches": {"league", "friendly", "ladder"}, "seats": {"seats"}, "trials": {"trials", "audits"}}
    assert set().union(*queues.values()) == set(WITH_BOTS) == set(WEIGHTS) - {"reviews"}, "no bot runs in a review"
    for workers in (1, 2, 8):
        matches, *_ = bots_of(Plan(var=tmp_path, database_url="", workers=workers))
        assert matches.command[-1] == str(workers), "a trial takes none of their processes"


def bots_of(plan: Plan) -> list[Any]:
    return [role for role in roles(plan) if role.runs_bots]


@pytest.mark.django_db(transaction=True)
def test_an_upload_is_tried_by_whoever_is_rung_for_it() -> None:
    versions = on_trial(2)
    assert [tasks.work("trials") for _ in range(2)] == ["trials", ""], "who is there goes on with what is next"
    assert {BotVersion.objects.get(pk=version.pk).status for version in versions} == {"active"}


@pytest.mark.django_db(transaction=True)
def test_a_match_is_played_by_whoever_is_rung_for_its_kind() -> None:
    match = waiting_match([active_version(), active_version()])
    assert [tasks.work("friendly"), tasks.work("league"), tasks.work("league")] == ["", "league", ""]
    assert Match.objects.get(pk=match.pk).status == Match.Status.CLOSED
    assert [tasks.work("audits"), tasks.work("audits")] == ["audits", ""]
