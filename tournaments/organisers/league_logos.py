"""Logos of leagues. No event stream contains them: streams are permanent, and a logo must be removable."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from foundation.branding.logo_pictures import compute_file_digest, convert_logo
from ftk_core.league.league_state import CommandRejected
from tournaments.leagues.league_event_appending import lock_league
from tournaments.models import League
from tournaments.models.league_logos import LeagueLogo
from tournaments.organisers.direct_league_setting_permissions import find_managed_league, record_staff_setting

SET_LOGO, REMOVE_LOGO = "set the logo", "remove the logo"
"""Names of attempts to set or remove a logo, in the lists of refused acts and of acts by staff."""


def set_logo(person: User, slug: str, upload: bytes) -> None:
    """Make an uploaded picture the logo of a league.

    Raises League.DoesNotExist, MissingRightError, or CommandRejected for an invalid picture.
    """
    league = find_managed_league(person, slug, SET_LOGO)
    body = convert_logo(upload)
    with transaction.atomic():
        record_staff_setting(person, league, SET_LOGO)
        store_logo(league, body, person)


def remove_logo(person: User, slug: str) -> None:
    """Remove a league's logo; raises League.DoesNotExist, MissingRightError, or CommandRejected if it has no logo."""
    league = find_managed_league(person, slug, REMOVE_LOGO)
    with transaction.atomic():
        record_staff_setting(person, league, REMOVE_LOGO)
        discard_logo(league)


def store_logo(league: League, body: bytes, person: User | None = None) -> None:
    """Make a PNG file the logo of a league, without checking rights or size."""
    with transaction.atomic():
        locked = lock_league(league.pk)
        LeagueLogo.objects.update_or_create(league=locked, defaults={"body": body, "set_by": person})
        locked.logo = compute_file_digest(body)
        locked.save(update_fields=("logo",))


def discard_logo(league: League) -> None:
    """Delete the logo of a league without checking rights; raises CommandRejected if it has none."""
    with transaction.atomic():
        locked = lock_league(league.pk)
        if not LeagueLogo.objects.filter(league=locked).delete()[0]:
            raise CommandRejected(gettext("%(league)s has no logo") % {"league": league.name})
        locked.logo = ""
        locked.save(update_fields=("logo",))


def read_logo(slug: str, digest: str) -> bytes:
    """Return the PNG file of the league logo with the given hash.

    Raises LeagueLogo.DoesNotExist if the league has no such logo.
    """
    row = LeagueLogo.objects.filter(league__slug=slug, league__logo=digest).first()
    if row is None:
        raise LeagueLogo.DoesNotExist(gettext("this league has another logo, or none"))
    return bytes(row.body)
