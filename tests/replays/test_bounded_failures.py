"""Bounded failures: after a failure at any step from upload to result, a verdict follows within five attempts.

Each test alternates between two machines: workers of different names, each with its own folder of bots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.utils import timezone

from bots import services
from bots.models import BotVersion
from bots.sandbox.language_runtimes import SandboxUnavailable
from ftk_core.log_writer import LogWriter
from ftk_core.players import HostOverloadError
from ftk_core.referee import Referee
from replays.models import Match
from replays.models.reviews import MatchReview
from replays.playing import match_players, match_runner, match_voiding_after_failures
from replays.playing.match_results import TimeAndMissedAnswersBySeat
from replays.playing.match_runner import play_match
from replays.reviews import review_computation, review_requests
from replays.services import verify_match
from tests.support.factories import AuthorFactory, create_active_version, create_waiting_match
from tests.support.injected_failures import always_raise, simulate_two_machines

pytestmark = pytest.mark.django_db(transaction=True)


def tries_until(ended: Callable[[], bool], attempt: Callable[[], object], machines: Callable[[], None]) -> int:
    """Make attempts on two machines in turn; return their number, at most six."""
    for number in range(1, 7):
        machines()
        attempt()
        if ended():
            return number
        Match.objects.filter(status=Match.Status.PLAYING).update(lease_until=timezone.now())
        BotVersion.objects.filter(status=BotVersion.Status.TRIAL).update(trial_until=timezone.now())
        MatchReview.objects.filter(status=MatchReview.Status.RUNNING).update(lease_until=timezone.now())
    return 6


@pytest.fixture
def machines(settings: Any, tmp_path: Path) -> Callable[[], None]:
    return simulate_two_machines(settings, tmp_path)


ERRORS = {
    "unexpected": (IsADirectoryError("bot.out"), "the arena failed (IsADirectoryError)"),
    "no sandbox": (SandboxUnavailable("/var/secret"), "the arena's machine could not start a bot in its sandbox"),
    "overload": (HostOverloadError("3 s late"), "the arena's machine was too slow"),
}
"""Errors, and the reasons that name them. One is raised at every step, the others at one step."""
STEPS_OF_A_MATCH: list[tuple[object, str]] = [
    (match_players, "bot_folder"),
    (match_players, "start_all_in_sandbox"),
    (match_runner, "TimeAndMissedAnswersBySeat"),
    (match_runner, "opening_entry"),
    (match_runner, "_begin"),
    (Referee, "play"),
    (LogWriter, "put"),
    (TimeAndMissedAnswersBySeat, "add"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "step", "failure"),
    [
        *((where, step, "unexpected") for where, step in STEPS_OF_A_MATCH),
        (match_runner, "_begin", "no sandbox"),
        (match_runner, "_begin", "overload"),
    ],
    ids=str,
)
def test_a_match_whose_worker_fails_at_any_step_is_void_within_five_attempts(
    where: object, step: str, failure: str, machines: Callable[[], None]
) -> None:
    error, blamed = ERRORS[failure]
    match = create_waiting_match([create_active_version(), create_active_version()])

    def ended() -> bool:
        match.refresh_from_db()
        return match.ended

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(where, step, always_raise(error))
        assert tries_until(ended, lambda: play_match(match.pk), machines) == django_settings.ATTEMPTS
    assert match.status == Match.Status.VOID
    assert match.reason == f"it was not played to its end in 5 attempts; in the last one {blamed}"
    assert verify_match(match.pk).void == match.reason
    assert "secret" not in match.reason


@pytest.mark.slow
@pytest.mark.parametrize("twice", [False, True], ids=["once", "always"])
def test_a_match_whose_result_cannot_be_stored_is_closed_or_voided_after_five_attempts(
    machines: Callable[[], None], monkeypatch: pytest.MonkeyPatch, twice: bool
) -> None:

    match = create_waiting_match([create_active_version(), create_active_version()])
    monkeypatch.setattr(match_runner, "close_match", always_raise(ValueError("a result")))
    if twice:
        monkeypatch.setattr(match_voiding_after_failures, "close_match", always_raise(ValueError("a result")))

    def ended() -> bool:
        match.refresh_from_db()
        return match.ended

    assert tries_until(ended, lambda: play_match(match.pk), machines) == 5
    if twice:
        assert match.status == Match.Status.VOID
        assert match.reason.endswith("the arena failed (ValueError); its result could not be written down")
    else:
        assert match.status == Match.Status.CLOSED
        assert sorted(seat.place for seat in match.seats.all()) == [1, 2]
    assert verify_match(match.pk).game == "pig"


STEPS_OF_A_TRIAL = ["bot_folder", "start_in_sandbox", "play_trial", "TrialLeaseRenewer"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "failure"),
    [
        *((step, "unexpected") for step in STEPS_OF_A_TRIAL),
        ("play_trial", "no sandbox"),
        ("play_trial", "overload"),
    ],
)
def test_a_bot_version_is_refused_after_five_failed_attempts_to_finish_its_trial(
    step: str, failure: str, machines: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    error, blamed = ERRORS[failure]
    version = services.accept_upload(AuthorFactory.create(), "pig", "mine", "bot.py", b"import ftk_core\n")
    monkeypatch.setattr(services, step, always_raise(error))

    def ended() -> bool:
        version.refresh_from_db()
        return version.status != BotVersion.Status.TRIAL

    assert tries_until(ended, services.run_next_trial, machines) == 5
    assert version.status == BotVersion.Status.REFUSED
    assert version.reason == f"its trial did not come to an end in 5 attempts; in the last one {blamed}"


def test_a_bot_whose_trial_match_kills_every_worker_is_refused() -> None:
    version = services.accept_upload(AuthorFactory.create(), "pig", "mine", "bot.py", b"import ftk_core\n")
    BotVersion.objects.filter(pk=version.pk).update(attempts=5)
    assert services.run_next_trial()
    version.refresh_from_db()
    assert (version.status, version.attempts) == (BotVersion.Status.REFUSED, 6)
    assert version.reason == "its trial did not come to an end in 5 attempts; in the last one the worker died"


def test_without_a_working_sandbox_no_trial_starts_or_counts_as_an_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    version = services.accept_upload(AuthorFactory.create(), "pig", "mine", "bot.py", b"import ftk_core\n")
    monkeypatch.setattr(services, "require_sandbox", always_raise(SandboxUnavailable("it does not hold")))
    for _ in range(6):
        with pytest.raises(SandboxUnavailable):
            services.run_next_trial()
    version.refresh_from_db()
    assert (version.status, version.attempts) == (BotVersion.Status.TRIAL, 0)


@contextmanager
def _injected(where: object, step: str, error: Exception) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(where, step, always_raise(error))
        yield


@pytest.mark.slow
@pytest.mark.parametrize("step", ["moves_of", "load_policy", "review", "encode", "analysis_build_of"])
def test_a_match_review_that_fails_at_any_step_is_given_up_within_five_attempts(
    step: str, machines: Callable[[], None]
) -> None:
    match = create_waiting_match([create_active_version(), create_active_version()])
    assert play_match(match.pk)
    row = review_requests.request_from_shell(match.pk, "all")

    def ended() -> bool:
        row.refresh_from_db()
        return row.status in (MatchReview.Status.DONE, MatchReview.Status.GIVEN_UP)

    with _injected(review_computation, step, IsADirectoryError("somewhere")):
        assert tries_until(ended, review_computation.review_next, machines) == 5
    assert row.status == MatchReview.Status.GIVEN_UP
    assert row.reason == (
        "it did not come to an end in 5 attempts; in the last one the arena failed (IsADirectoryError)"
    )
