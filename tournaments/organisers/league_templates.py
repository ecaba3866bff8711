"""Templates: saved league settings, with which all organisers can announce new leagues."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext
from msgspec.structs import replace

from foundation.advisory_locks import TEMPLATES_LOCK, lock_until_commit
from ftk_core.games import list_games
from ftk_core.i18n import join_spaces
from ftk_core.league.league_facts import LeagueOpened
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.league_state_from_events import decode_fact, encode_fact
from people.staff_audit_trail import ActingStaffMember, record_staff_act
from tournaments.leagues.league_event_projection import load
from tournaments.models.league_templates import MAX_TEMPLATE_NAME_CHARACTERS, LeagueTemplate
from tournaments.organisers.league_access_rights import ACT, may
from tournaments.organisers.organiser_page_queries import find_league
from tournaments.organisers.organiser_permission_checks import NO_RIGHT, MissingRightError, record_refusal

MAX_TEMPLATES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedLeagueTemplate:
    """A saved template of league settings; `made_by` is empty if the account was deleted."""

    id: int
    name: str
    made_by: str
    terms: LeagueOpened


def list_templates() -> list[SavedLeagueTemplate]:
    """Return the templates of games that are still registered, ordered by name."""
    templates = [
        SavedLeagueTemplate(
            id=row.pk,
            name=row.name,
            made_by=row.made_by.get_username() if row.made_by else "",
            terms=_decode_terms(row),
        )
        for row in LeagueTemplate.objects.select_related("made_by")
    ]
    return [template for template in templates if template.terms.game in list_games()]


def _decode_terms(row: LeagueTemplate) -> LeagueOpened:
    fact = decode_fact(row.terms.encode())
    assert isinstance(fact, LeagueOpened)
    return fact


def save_template(person: User, slug: str, name: str) -> None:
    """Save the settings of a league, without its dates, as a template for new leagues.

    Raises League.DoesNotExist, MissingRightError if the person may not change the league, or CommandRejected for an
    invalid or taken name or too many templates.
    """
    league = find_league(slug)
    if not may(ACT, person, league):
        raise record_refusal(person, league, "save its terms as a template", NO_RIGHT)
    terms = replace(load(league)[1].header, by="", at=0, entries_until=0)
    with transaction.atomic():
        lock_until_commit(TEMPLATES_LOCK)  # so that the limit holds for concurrent requests
        if LeagueTemplate.objects.count() >= MAX_TEMPLATES:
            raise CommandRejected(
                gettext("there are %(most)s templates already; remove one first") % {"most": MAX_TEMPLATES}
            )
        _store(LeagueTemplate(terms=encode_fact(terms).decode(), made_by=person), name)


def rename_template(person: User, template_id: int, name: str) -> None:
    """Give a template another name.

    Raises LeagueTemplate.DoesNotExist, MissingRightError unless the person made the template or is staff, or
    CommandRejected for an invalid or taken name.
    """
    with transaction.atomic():
        row = _find_own(person, template_id)
        _record_staff(person, row, f"rename {row.name} to {name.strip()}")
        _store(row, name)


def remove_template(person: User, template_id: int) -> None:
    """Remove a template.

    Raises LeagueTemplate.DoesNotExist, or MissingRightError unless the person made the template or is staff.
    """
    with transaction.atomic():
        row = _find_own(person, template_id)
        _record_staff(person, row, f"remove {row.name}")
        row.delete()


def _find_own(person: User, template_id: int) -> LeagueTemplate:
    row = LeagueTemplate.objects.filter(pk=template_id).first()
    if row is None:
        raise LeagueTemplate.DoesNotExist(gettext("there is no template %(number)s") % {"number": template_id})
    if row.made_by != person and not person.is_staff:
        raise MissingRightError(gettext("only staff and the person who made the template do that"))
    return row


def _record_staff(person: User, row: LeagueTemplate, what: str) -> None:
    """Log a change of another person's template as an action of staff."""
    if row.made_by != person:
        staff = ActingStaffMember(by=person, name=person.get_username())
        record_staff_act(staff, "template", f"template {row.pk}: {what}", row.made_by)


def _store(row: LeagueTemplate, name: str) -> None:
    row.name = join_spaces(name)
    if not 0 < len(row.name) <= MAX_TEMPLATE_NAME_CHARACTERS or not row.name.isprintable():
        raise CommandRejected(
            gettext("a template's name has 1 to %(most)s printable characters") % {"most": MAX_TEMPLATE_NAME_CHARACTERS}
        )
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        raise CommandRejected(
            gettext("there is a template %(name)r already; choose another name") % {"name": row.name}
        ) from None
