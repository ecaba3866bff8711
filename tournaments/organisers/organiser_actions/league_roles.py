"""Organisers' actions that appoint and dismiss co-organisers and judges."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy

from ftk_core.league.league_state import CommandRejected
from tournaments.models.organiser_roles import LeagueRole
from tournaments.organisers.league_access_rights import APPOINT
from tournaments.organisers.organiser_action_definition import (
    OrganiserAction,
    OrganiserActionArgument,
    OrganiserActionRequest,
)

PERSON = OrganiserActionArgument(name="person", label=gettext_lazy("Author's name"), example="ada")
ROLE = OrganiserActionArgument(
    name="role",
    label=gettext_lazy("Role"),
    choices=(LeagueRole.Role.CO_ORGANISER, LeagueRole.Role.JUDGE),
    example=LeagueRole.Role.CO_ORGANISER,
)


def _roles(call: OrganiserActionRequest) -> tuple[User, QuerySet[LeagueRole]]:
    """Return the person of an action, and a query set of the person's roles in the league."""
    # Raises CommandRejected for an unknown person, and for the league's organiser, whose role is permanent.
    username = call.arguments["person"]
    person = User.objects.filter(username=username, is_active=True).first()
    if person is None:
        raise CommandRejected(gettext("nobody is called %(person)r") % {"person": username[:60]})
    roles = LeagueRole.objects.filter(league=call.league, person=person)
    if roles.filter(role=LeagueRole.Role.ORGANISER).exists():
        raise CommandRejected(
            gettext("%(person)s is the organiser of %(league)s, and stays that")
            % {"person": person.get_username(), "league": call.league.name}
        )
    return person, roles


def _appoint(call: OrganiserActionRequest) -> None:
    person, _roles_before = _roles(call)
    LeagueRole.objects.update_or_create(league=call.league, person=person, defaults={"role": call.arguments["role"]})


def _dismiss(call: OrganiserActionRequest) -> None:
    person, roles = _roles(call)
    if not roles.delete()[0]:
        raise CommandRejected(
            gettext("%(person)s has no role in %(league)s")
            % {"person": person.get_username(), "league": call.league.name}
        )


ACTS = (
    OrganiserAction(
        verb="appoint",
        label=gettext_lazy("Appoint"),
        summary=gettext_lazy("A person becomes a co-organiser or a judge."),
        fields=(PERSON, ROLE),
        right=APPOINT,
        needs_reason=False,
        perform=_appoint,
    ),
    OrganiserAction(
        verb="dismiss",
        label=gettext_lazy("Dismiss"),
        summary=gettext_lazy("A person no longer has a role in the league."),
        fields=(PERSON,),
        right=APPOINT,
        needs_reason=False,
        perform=_dismiss,
    ),
)
