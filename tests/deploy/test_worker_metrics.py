"""Metrics of a worker: they agree with the logs, also after a process of the worker has died."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import get_args
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from msgspec import UNSET

from deploy.supervisor.child_process_start_and_stop import start, stop
from ftk_core.hash_chained_log import lines_of
from ftk_core.log_entries import ChoiceMade, Excuse, is_choice_line, read
from ftk_core.random_streams import seed_of
from replays.event_stream_storage import EventAppender
from replays.models import EventStreamPage as PageRow, Match
from replays.playing.match_cancellation import end_match
from replays.services import MatchRequest, order_matches
from tests.support.arena import free_port
from tests.support.factories import CLOCK, create_active_version
from tests.support.prepared_leagues import build_environment
from tests.support.processes import read_database_url
from tests.support.prometheus import Said, check_metrics, parse_samples
from tests.support.waiting import wait_for

TOKEN = "a-token-of-the-settings"
CELERY = ("-m", "celery", "--quiet", "-A", "deploy.celery:app", "worker", "--loglevel=WARNING")
WORKER = ("-B", "-P", "prefork", "-c", "1", "-Q", "league,house", "--without-mingle", "--without-gossip")
REASONS = get_args(Excuse)
PLAYED = 90.0
pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


class Worker:
    """A real worker, with its own beat, on the test's database."""

    def __init__(self, var: Path) -> None:
        self.port, self.log = free_port(), var / "worker.log"
        more = {
            "CELERY_BROKER_URL": "",
            "FTK_METRICS_PORT": str(self.port),
            "FTK_METRICS_TOKEN": TOKEN,
            "FTK_LEASE_SECONDS": "2",
        }
        command = [sys.executable, *CELERY, *WORKER, "-s", str(var / "beat")]
        env = {**build_environment(var, **more), "DATABASE_URL": read_database_url()}
        self.process = start(command, log=self.log, env=env, folder=Path.cwd())

    def text(self, token: str = TOKEN, path: str = "/metrics") -> str:
        asked = Request(f"http://127.0.0.1:{self.port}{path}", headers={"Authorization": f"Bearer {token}"})
        with urlopen(asked, timeout=20) as answer:
            return str(answer.read().decode())

    def read_output(self) -> Said:
        return parse_samples(self.text())


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    with ExitStack() as stack:
        made = Worker(tmp_path)
        stack.callback(stop, made.process, [(signal.SIGTERM, 5)])
        yield made


def ordered(pace_ms: int = 0) -> Match:
    versions = [create_active_version() for _ in range(2)]
    return order_matches(
        [MatchRequest(game="pig", versions=versions, seed=seed_of("counted"), clock=CLOCK, pace_ms=pace_ms)]
    )[0]


def awaited(match: Match, *statuses: str, worker: Worker, other_than: str = "") -> str:
    """Wait until a match has a status, and return its holder."""

    def there() -> bool:
        match.refresh_from_db()
        return match.status in statuses and match.holder != other_than

    wait_for(there, lambda: f"{statuses} of {match}; {worker.log.read_text()[-1500:]}", PLAYED)
    return match.holder


def choices(match: Match) -> list[ChoiceMade]:
    entries = [read(line) for line in lines_of(EventAppender(match.stream_id)) if is_choice_line(line)]
    return [entry for entry in entries if isinstance(entry, ChoiceMade)]


def test_the_prometheus_metrics_of_a_worker_agree_with_the_match_logs(worker: Worker) -> None:
    match = ordered()
    awaited(match, "closed", worker=worker)
    made, text = choices(match), worker.text()
    check_metrics(text)
    said = parse_samples(text)
    assert said[("ftk_decisions_total",)] == len(made) > 10
    assert said[("ftk_decision_charged_seconds_count",)] == len(made)
    assert said[("ftk_decision_charged_seconds_sum",)] == pytest.approx(sum(one.charged_us for one in made) / 1e6)
    walls = [one.wall_us for one in made if one.wall_us is not UNSET]
    assert said[("ftk_decision_wall_seconds_count",)] == len(walls) > 0
    assert said[("ftk_decision_wall_seconds_sum",)] == pytest.approx(sum(walls) / 1e6)
    assert said[("ftk_pages_total", "match")] == PageRow.objects.filter(stream=match.stream_id).count()
    excuses = Counter(one.excuse for one in made if one.excuse)
    assert [said[("ftk_excuses_total", reason)] for reason in REASONS] == [excuses[reason] for reason in REASONS]
    assert said[("ftk_leases_lost_total",)] == 0
    assert match.pk not in text


@pytest.mark.nightly
def test_metrics_keep_the_counters_of_a_dead_process_but_drop_its_running_matches(worker: Worker) -> None:
    first = ordered()
    awaited(first, "closed", worker=worker)
    match = ordered(pace_ms=60_000)
    holder = awaited(match, "playing", worker=worker)
    wait_for(lambda: worker.read_output()[("ftk_matches_under_way",)] == 1, "that it is played", PLAYED)
    os.kill(int(holder.split(":")[1]), signal.SIGKILL)
    awaited(match, "playing", worker=worker, other_than=holder)
    wait_for(
        lambda: worker.read_output()[("ftk_matches_under_way",)] == 1, "that one process plays it, not two", PLAYED
    )
    assert worker.read_output()[("ftk_decisions_total",)] >= len(choices(first))
    assert end_match(match.pk, "the organisers end it")
    wait_for(lambda: worker.read_output()[("ftk_leases_lost_total",)] == 1, "that its worker lost it", PLAYED)
    wait_for(lambda: worker.read_output()[("ftk_matches_under_way",)] == 0, "that nothing is played", PLAYED)


def test_metrics_are_refused_without_the_token(worker: Worker) -> None:
    def refused(token: str, path: str) -> int:
        with pytest.raises(HTTPError) as caught:
            worker.text(token, path)
        caught.value.close()
        return caught.value.code

    wait_for(lambda: "the address" if _answers(worker) else "", worker.log.read_text, PLAYED)
    assert refused("another", "/metrics") == 401
    assert refused(TOKEN, "/") == 404


def _answers(worker: Worker) -> bool:
    try:
        return bool(worker.text())
    except OSError:
        return False


def test_a_metrics_port_without_a_token_is_a_configuration_error(tmp_path: Path) -> None:
    env = build_environment(tmp_path, FTK_METRICS_PORT=str(free_port()), FTK_METRICS_TOKEN="")
    log = tmp_path / "out.log"
    process = start([sys.executable, "-c", "import django; django.setup()"], log=log, env=env, folder=Path.cwd())
    assert process.wait() != 0
    assert "FTK_METRICS_PORT is set without FTK_METRICS_TOKEN: set what it may be read with" in log.read_text()
