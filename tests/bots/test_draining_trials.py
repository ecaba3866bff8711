"""Draining workers: they give up a trial or a compilation at once, and the attempt does not count."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone

from bots import services
from bots.models import BotVersion
from bots.models.compiled_bot_programs import CompiledBotProgram
from foundation import celery_worker_draining
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.hostile.packing import Entry, archive
from tests.support.machine import has_programs

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
IN_C = b"int main(void) { return 0; }"


@pytest.fixture(autouse=True)
def _drains() -> Iterator[None]:
    """Ask the worker to leave, and cancel that after the test."""
    celery_worker_draining.request_handover()
    yield
    celery_worker_draining.cancel_draining()


def give_up_trial(version: BotVersion) -> None:
    """Let a draining worker begin a trial as often as would exhaust its attempts; check that none counts."""
    for _ in range(6):
        assert services.run_next_trial()
        version.refresh_from_db()
        assert (version.status, version.attempts) == (BotVersion.Status.TRIAL, 0)
        assert version.trial_until
        assert version.trial_until <= timezone.now()


def test_a_trial_interrupted_by_worker_shutdown_is_repeated_without_counting_as_an_attempt() -> None:
    version = create_active_version()
    BotVersion.objects.update(status=BotVersion.Status.TRIAL)
    give_up_trial(version)
    celery_worker_draining.cancel_draining()
    assert services.run_next_trial()
    version.refresh_from_db()
    assert (version.status, version.attempts) == (BotVersion.Status.ACTIVE, 1)


@pytest.mark.skipif(not has_programs("bwrap", "cc"), reason="there is no compiler, or nothing to contain it")
def test_a_worker_that_shuts_down_abandons_its_current_compilation() -> None:
    body = archive(Entry("bot.toml", b'command = "c bot.c"'), Entry("bot.c", IN_C))
    give_up_trial(services.accept_upload(AuthorFactory.create(), "pig", "mine", "bot.zip", body))
    assert not CompiledBotProgram.objects.exists()
