"""Settings for the audience of a league. They are not facts: organisers change them at any time."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.leagues.league_progress import lock_league
from tournaments.organisers.setting_rights import find_own_league, note_staff

SET_AUDIENCE = "set the audience's settings"
"""Name of the act in the lists of refused acts and of staff's acts."""


def set_predictions_allowed(person: User, slug: str, *, allowed: bool) -> None:
    """Allow predictions of a league or turn them off; stored predictions and their points stay.

    Raises League.DoesNotExist, or MissingRightError (stored as a refusal).
    """
    league = find_own_league(person, slug, SET_AUDIENCE)
    with transaction.atomic():
        note_staff(person, league, SET_AUDIENCE)
        locked = lock_league(league.pk)
        locked.predictions = allowed
        locked.save(update_fields=("predictions",))
