"""Settings of a league's predictions and comments."""
# No event stream contains them, and they can change at any time.

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from ftk_core.league.league_state import CommandRejected
from tournaments.leagues.league_event_appending import lock_league
from tournaments.organisers.direct_league_setting_permissions import find_managed_league, record_staff_setting

SET_AUDIENCE = "set the audience's settings"
"""Name of an attempt to change the settings, in the lists of refused acts and of acts by staff."""
CHOICES: dict[str, dict[str, Any]] = {
    "predictions": {"on": True, "off": False},
    "comments": {"arena": "", "off": "off", "approved": "approved", "at_once": "at_once"},
}
"""Dict from setting (a column of `League`) to a dict from each allowed choice to the value to store.

The choice ``off`` deletes no stored predictions or comments.
"""


def set_audience(person: User, slug: str, choices: dict[str, str]) -> None:
    """Change a league's settings for predictions or comments.

    Raises League.DoesNotExist, MissingRightError, or CommandRejected for an unknown choice.
    """
    league = find_managed_league(person, slug, SET_AUDIENCE)
    for setting, choice in choices.items():
        if choice not in CHOICES[setting]:
            message = gettext("%(setting)s can be %(choices)s (got %(choice)r)")
            known = ", ".join(CHOICES[setting])
            raise CommandRejected(message % {"setting": setting, "choices": known, "choice": choice[:20]})
    with transaction.atomic():
        record_staff_setting(person, league, SET_AUDIENCE)
        locked = lock_league(league.pk)
        for setting, choice in choices.items():
            setattr(locked, setting, CHOICES[setting][choice])
        locked.save(update_fields=tuple(choices))
