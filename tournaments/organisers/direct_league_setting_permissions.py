"""Permission check and staff log for changes of league settings that no event contains, such as the logo."""

from __future__ import annotations

from django.contrib.auth.models import User

from people.staff_audit_trail import ActingStaffMember, record_staff_act
from tournaments.models import League
from tournaments.models.organiser_roles import LeagueRole
from tournaments.organisers.league_access_rights import ACT, may
from tournaments.organisers.organiser_page_queries import find_league
from tournaments.organisers.organiser_permission_checks import NO_RIGHT, record_refusal


def find_managed_league(person: User, slug: str, what: str) -> League:
    """Return the league with this slug; raise MissingRightError if the person may not change it.

    `what` describes the attempt; it is stored if the attempt is refused. Also raises League.DoesNotExist.
    """
    # Call this outside a transaction, because a rollback would delete the stored attempt.
    league = find_league(slug)
    if not may(ACT, person, league):
        raise record_refusal(person, league, what, NO_RIGHT)
    return league


def record_staff_setting(person: User, league: League, what: str) -> None:
    """Log a change of a league's setting as an action of staff, if the person is staff without a role in the league."""
    if person.is_staff and not LeagueRole.objects.filter(league=league, person=person).exists():
        record_staff_act(
            ActingStaffMember(by=person, name=person.get_username(), why=""), what, f"league {league.slug}"
        )
