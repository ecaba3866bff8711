"""Notices of trials that a ban interrupts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from bots.bot_bans import ban_bot, unban_bot
from bots.models import BotVersion
from notices import notice_preferences, tasks
from notices.models import EventLogReadPosition
from tests.support.league_entries import create_own_version

pytestmark = pytest.mark.django_db


def texts_of(person: User) -> list[str]:
    return [notice.text for notice in notice_preferences.list_notices(person)]


def ban_during_trial(uploaded: timedelta) -> BotVersion:
    """Return a version of a bot that was banned while the version was on trial."""
    version = create_own_version()
    BotVersion.objects.update(status="trial", uploaded_at=timezone.now() - uploaded)
    ban_bot("ada", "it cheats")
    return version


def test_an_author_learns_the_trial_result_of_a_version_whose_trial_a_ban_has_interrupted() -> None:
    version, later = ban_during_trial(timedelta(hours=1)), create_own_version("bob")
    tasks.sweep()
    assert (texts_of(version.bot.owner), texts_of(later.bot.owner)) == ([], ["bob 1 passed its trial."])
    unban_bot("ada")
    tasks.sweep()
    BotVersion.objects.filter(pk=version.pk).update(status="active")
    tasks.sweep()
    assert texts_of(version.bot.owner) == ["ada 1 passed its trial."]


def test_results_of_trials_wait_for_no_ban_that_lasts_for_many_months() -> None:
    ban_during_trial(timedelta(days=400))
    later = create_own_version("bob")
    BotVersion.objects.filter(pk=later.pk).update(uploaded_at=timezone.now() - timedelta(hours=1))
    tasks.sweep()
    position = EventLogReadPosition.objects.get(name="trials")
    assert (position.length, position.ahead) == (later.pk, [])
