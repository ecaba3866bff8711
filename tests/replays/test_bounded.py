"""Whatever fails between an upload and its result, at any step and on any machine, ends in a verdict within five tries.

Each test takes turns between two machines: workers of different names, each with its own folder of bots.
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
from bots.cage.runtime import CageUnavailable
from bots.models import BotVersion
from ftk_core.players import HostFault
from ftk_core.referee import Referee
from ftk_core.scribe import Scribe
from replays.models import Match
from replays.playing import runner, seating
from replays.playing.results import Tally
from replays.playing.runner import play_match
from replays.review_models import Review
from replays.reviews import asking, working
from replays.services import verify_match
from tests.support.factories import AuthorFactory, active_version, waiting_match
from tests.support.failing import raising, two_machines

pytestmark = pytest.mark.django_db(transaction=True)


def tries_until(ended: Callable[[], bool], attempt: Callable[[], object], machines: Callable[[], None]) -> int:
    """Let attempts be made on two machines in turn; return how many it took, six if there were too many."""
    for number in range(1, 7):
        machines()
        attempt()
        if ended():
            return number
        Match.objects.filter(status=Match.Status.PLAYING).update(lease_until=timezone.now())
        BotVersion.objects.filter(status=BotVersion.Status.TRIAL).update(trial_until=timezone.now())
        Review.objects.filter(status=Review.Status.RUNNING).update(lease_until=timezone.now())
    return 6


@pytest.fixture
def machines(settings: Any, tmp_path: Path) -> Callable[[], None]:
    return two_machines(settings, tmp_path)


ERRORS = [
    (IsADirectoryError("bot.out"), "the arena failed (IsADirectoryError)"),
    (CageUnavailable("/var/secret"), "the arena's machine could not start a bot in its sandbox"),
    (HostFault("3 s late"), "the arena's machine was too slow"),
]
STEPS_OF_A_MATCH: list[tuple[object, str]] = [
    (seating, "folder_of"),
    (seating, "caged_all"),
    (runner, "Tally"),
    (runner, "opened_of"),
    (runner, "_begin"),
    (Referee, "play"),
    (Scribe, "put"),
    (Tally, "add"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("error", "blamed"), ERRORS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(("where", "step"), STEPS_OF_A_MATCH, ids=str)
def test_a_match_that_fails_at_a_step_is_void_within_five_tries_and_says_whose_fault_it_was(
    where: object, step: str, error: Exception, blamed: str, machines: Callable[[], None]
) -> None:
    match = waiting_match([active_version(), active_version()])

    def ended() -> bool:
        match.refresh_from_db()
        return match.ended

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(where, step, raising(error))
        assert tries_until(ended, lambda: play_match(match.pk), machines) == django_settings.ATTEMPTS
    assert match.status == Match.Status.VOID
    assert match.reason == f"it was not played to its end in 5 attempts; in the last one {blamed}"
    assert verify_match(match.pk).void == match.reason
    assert "secret" not in match.reason


@pytest.mark.parametrize("twice", [False, True], ids=["once", "always"])
def test_a_match_whose_result_cannot_be_written_is_closed_by_its_log_or_void(
    machines: Callable[[], None], monkeypatch: pytest.MonkeyPatch, twice: bool
) -> None:
    from replays.playing import giving_up

    match = waiting_match([active_version(), active_version()])
    monkeypatch.setattr(runner, "close", raising(ValueError("a result")))
    if twice:
        monkeypatch.setattr(giving_up, "close", raising(ValueError("a result")))

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


STEPS_OF_A_TRIAL = ["folder_of", "caged", "play_trial", "TrialBeat"]


@pytest.mark.parametrize(("error", "blamed"), ERRORS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("step", STEPS_OF_A_TRIAL)
def test_a_trial_that_fails_at_a_step_is_refused_within_five_tries_and_says_whose_fault_it_was(
    step: str, error: Exception, blamed: str, machines: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    version = services.take_in(AuthorFactory.create(), "pig", "mine", "bot.py", b"import ftk_core\n")
    monkeypatch.setattr(services, step, raising(error))

    def ended() -> bool:
        version.refresh_from_db()
        return version.status != BotVersion.Status.TRIAL

    assert tries_until(ended, services.try_next, machines) == 5
    assert version.status == BotVersion.Status.REFUSED
    assert version.reason == f"its trial did not come to an end in 5 attempts; in the last one {blamed}"


def test_a_trial_that_no_worker_survives_is_refused() -> None:
    version = services.take_in(AuthorFactory.create(), "pig", "mine", "bot.py", b"import ftk_core\n")
    BotVersion.objects.filter(pk=version.pk).update(attempts=5)
    assert services.try_next()
    version.refresh_from_db()
    assert (version.status, version.attempts) == (BotVersion.Status.REFUSED, 6)
    assert version.reason == "its trial did not come to an end in 5 attempts; in the last one the worker died"


def test_where_no_cage_holds_no_trial_is_begun_and_none_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    version = services.take_in(AuthorFactory.create(), "pig", "mine", "bot.py", b"import ftk_core\n")
    monkeypatch.setattr(services, "require", raising(CageUnavailable("it does not hold")))
    for _ in range(6):
        with pytest.raises(CageUnavailable):
            services.try_next()
    version.refresh_from_db()
    assert (version.status, version.attempts) == (BotVersion.Status.TRIAL, 0)


@contextmanager
def _injected(where: object, step: str, error: Exception) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(where, step, raising(error))
        yield


@pytest.mark.parametrize("step", ["moves_of", "policy_of", "review", "encode", "build_of"])
def test_a_review_that_fails_at_a_step_is_given_up_within_five_tries_and_says_whose_fault_it_was(
    step: str, machines: Callable[[], None]
) -> None:
    match = waiting_match([active_version(), active_version()])
    assert play_match(match.pk)
    row = asking.ask_at_the_shell(match.pk, "all")

    def ended() -> bool:
        row.refresh_from_db()
        return row.status in (Review.Status.DONE, Review.Status.GIVEN_UP)

    with _injected(working, step, IsADirectoryError("somewhere")):
        assert tries_until(ended, working.review_next, machines) == 5
    assert row.status == Review.Status.GIVEN_UP
    assert row.reason == (
        "it did not come to an end in 5 attempts; in the last one the arena failed (IsADirectoryError)"
    )
