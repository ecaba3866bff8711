"""Fairness of queues: an author with many jobs delays only their own jobs."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from celery import current_app
from django.utils import timezone
from hypothesis import given, strategies as st

from bots import tasks
from bots.jobs import fair_job_scheduling as job_scheduling, trial_match_queue
from bots.jobs.fair_job_scheduling import QueuedJob, order_fairly
from bots.models import BotVersion
from bots.models.worker_reports_and_usage import WorkerUsageByJobKind
from deploy.messaging.broker import BOT_QUEUES, QUEUE_NAMES
from deploy.settings import WEIGHTS
from deploy.supervisor.process_roles import ArenaStartOptions, list_roles
from foundation.celery_task_messages import count_messages
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.random_streams import seed_of
from replays.models import Match
from replays.playing import match_leases
from replays.services import MatchRequest, order_matches
from tests.support.factories import (
    CLOCK,
    AuthorFactory,
    BotFactory,
    create_active_version,
    create_package,
    create_waiting_match,
)

START = datetime(2026, 1, 1, tzinfo=UTC)
MOMENTS = st.integers(0, 50).map(lambda minutes: START + timedelta(minutes=minutes))
THINGS = st.lists(st.builds(QueuedJob, st.integers(0, 999), st.integers(1, 5), MOMENTS), max_size=30)


@pytest.mark.slow
@given(THINGS, st.dictionaries(st.integers(1, 5), st.integers(0, 3)), st.dictionaries(st.integers(1, 5), MOMENTS))
def test_jobs_are_scheduled_one_per_author_with_the_longest_waiting_author_first(
    waiting: list[QueuedJob], running: dict[int | None, int], began: dict[int | None, datetime]
) -> None:
    order = order_fairly(waiting, running, began)
    authors = [thing.author for thing in order]
    assert len(set(authors)) == len(authors)
    assert set(authors) == {thing.author for thing in waiting if not running.get(thing.author, 0)}
    assert all(thing.since == min(t.since for t in waiting if t.author == thing.author) for thing in order)
    waits = [max(thing.since, began.get(thing.author, thing.since)) for thing in order]
    assert waits == sorted(waits)


def on_trial(count: int, source: Any = None) -> list[BotVersion]:
    """Return a number of versions of one author that wait for their trials."""
    author, package = AuthorFactory.create(), create_package(source or list_built_in_bots("pig")["hold20"])
    bots = [BotFactory.create(owner=author) for _ in range(count)]
    return [BotVersion.objects.create(bot=bot, number=1, package=package) for bot in bots]


@pytest.mark.django_db(transaction=True)
def test_sixteen_trial_matches_of_one_author_occupy_only_one_worker() -> None:
    flood, single = on_trial(16), on_trial(1)
    assert trial_match_queue.claim_next(["python"]) == flood[0].pk
    assert trial_match_queue.claim_next(["python"]) == single[0].pk
    assert trial_match_queue.claim_next(["python"]) is None, "whatever else waits is his who has one running"
    BotVersion.objects.filter(pk=flood[0].pk).update(status=BotVersion.Status.ACTIVE)
    late = on_trial(1)
    BotVersion.objects.filter(pk=late[0].pk).update(uploaded_at=flood[0].uploaded_at)
    assert trial_match_queue.claim_next(["python"]) == late[0].pk, "who had one just now waits behind who had none"
    assert trial_match_queue.claim_next(["python"]) == flood[1].pk


@pytest.mark.django_db(transaction=True)
def test_a_trial_match_is_repeated_only_after_its_worker_stopped_renewing_the_lease(settings: Any) -> None:
    (version,) = on_trial(1)
    assert trial_match_queue.claim_next(["python"]) == version.pk
    beat = trial_match_queue.TrialLeaseRenewer(version.pk)
    settings.TRIAL_SECONDS = 0.0
    BotVersion.objects.filter(pk=version.pk).update(trial_until=timezone.now() - timedelta(seconds=1))
    settings.TRIAL_SECONDS = 60.0
    beat._last -= 21
    beat()
    assert trial_match_queue.claim_next(["python"]) is None
    BotVersion.objects.filter(pk=version.pk).update(trial_until=timezone.now() - timedelta(seconds=1))
    assert trial_match_queue.claim_next(["python"]) == version.pk


def friendly(author: Any, number: int) -> Match:
    versions = [create_active_version(), create_active_version()]
    seed = seed_of("friendly", number)
    return order_matches([MatchRequest(game="pig", versions=versions, seed=seed, clock=CLOCK, asked_by=author)])[0]


@pytest.mark.django_db
def test_an_author_has_at_most_one_friendly_match_running() -> None:
    one, other = AuthorFactory.create(), AuthorFactory.create()
    first, _, third = friendly(one, 1), friendly(one, 2), friendly(other, 3)
    assert match_leases.list_in_fair_order("friendly") == [first.pk, third.pk]
    assert match_leases.claim(first.pk, "worker")
    assert match_leases.list_in_fair_order("friendly") == [third.pk]
    assert match_leases.list_in_fair_order("league") == []


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_repeated_runs_of_the_sweeper_enqueue_no_more_tasks_than_there_are_jobs() -> None:
    with current_app.connection_for_write() as connection:
        for name in QUEUE_NAMES:
            connection.default_channel.queue_declare(name)
            connection.default_channel.queue_purge(name)
    on_trial(2)
    create_waiting_match([create_active_version(), create_active_version()])
    for _ in range(20):
        tasks.sweep()
    assert [count_messages(name) for name in BOT_QUEUES] == [1, 0, 0, 0, 2, 0]
    BotVersion.objects.filter(status="trial").update(status="refused")
    tasks.sweep()
    assert count_messages("trials") == 2, "what is too many is taken off by whoever looks in vain"


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_finds_no_job_it_may_do_enqueues_no_further_task() -> None:
    author = AuthorFactory.create()
    first, _ = friendly(author, 1), friendly(author, 2)
    assert match_leases.claim(first.pk, "worker")
    on_trial(2)
    assert trial_match_queue.claim_next(["python"])
    with current_app.connection_for_write() as connection:
        for name in ("friendly", "trials"):
            connection.default_channel.queue_declare(name)
            connection.default_channel.queue_purge(name)
    for kind in ("friendly", "trials"):
        assert tasks.work(kind) == ""
        assert count_messages(kind) == 0


@pytest.mark.django_db(transaction=True)
def test_a_worker_runs_waiting_jobs_of_different_kinds_in_proportion_to_their_weights(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = list[str]()

    def kind(name: str) -> job_scheduling.JobKind:
        return job_scheduling.JobKind(name=name, count_waiting=lambda: 1, run_next=lambda: done.append(name) is None)

    monkeypatch.setattr(job_scheduling, "KINDS", {name: kind(name) for name in ("league", "friendly")})
    monkeypatch.setenv(job_scheduling.SERVED_KINDS_VARIABLE, "league friendly")
    for number in range(100):
        job_scheduling.do_next_job(("league", "friendly")[number % 2])
    assert Counter(done) == {"league": 80, "friendly": 20}
    assert done[:10].count("friendly") == 2
    WorkerUsageByJobKind.objects.filter(kind="friendly").update(spent=0)
    monkeypatch.setitem(
        job_scheduling.KINDS,
        "friendly",
        job_scheduling.JobKind(name="friendly", count_waiting=lambda: 0, run_next=lambda: False),
    )
    job_scheduling.do_next_job("league")
    assert done[-1] == "league"


@pytest.mark.parametrize(("on_request", "expected"), [(False, ["taken"]), (True, ["asked"])])
def test_a_worker_that_serves_one_kind_of_job_queries_the_database_once_per_task(
    monkeypatch: pytest.MonkeyPatch, on_request: bool, expected: list[str]
) -> None:
    said = list[str]()

    def take() -> bool:
        said.append("taken")
        return False

    def waiting() -> int:
        said.append("asked")
        return 0

    alone = job_scheduling.JobKind(name="alone", count_waiting=waiting, run_next=take, on_request=on_request)
    monkeypatch.setattr(job_scheduling, "KINDS", {"alone": alone})
    monkeypatch.setenv(job_scheduling.SERVED_KINDS_VARIABLE, "alone")
    assert job_scheduling.do_next_job("alone") == ""
    assert said == expected, "what is done on request may begin although nothing of it waits"


def test_workers_for_matches_and_remote_matches_and_trials_read_separate_queues_that_together_cover_all_bot_queues(
    tmp_path: Any,
) -> None:
    queues = {
        role.name: set(role.command[role.command.index("-Q") + 1].split(","))
        for role in bots_of(ArenaStartOptions(var=tmp_path, database_url=""))
    }
    assert queues == {"matches": {"league", "friendly", "ladder"}, "seats": {"seats"}, "trials": {"trials", "audits"}}
    assert set().union(*queues.values()) == set(BOT_QUEUES) == set(WEIGHTS) - {"reviews"}, "no bot runs in a review"
    for workers in (1, 2, 8):
        matches, *_ = bots_of(ArenaStartOptions(var=tmp_path, database_url="", workers=workers))
        assert matches.command[-1] == str(workers), "a trial takes none of their processes"


def bots_of(plan: ArenaStartOptions) -> list[Any]:
    return [role for role in list_roles(plan) if role.runs_bots]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_one_celery_task_of_the_trial_queue_runs_all_waiting_trials() -> None:
    versions = on_trial(2)
    assert [tasks.work("trials") for _ in range(2)] == ["trials", ""], "who is there goes on with what is next"
    assert {BotVersion.objects.get(pk=version.pk).status for version in versions} == {"active"}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_celery_task_plays_only_waiting_matches_of_its_own_kind() -> None:
    match = create_waiting_match([create_active_version(), create_active_version()])
    assert [tasks.work("friendly"), tasks.work("league"), tasks.work("league")] == ["", "league", ""]
    assert Match.objects.get(pk=match.pk).status == Match.Status.CLOSED
    assert [tasks.work("audits"), tasks.work("audits")] == ["audits", ""]
