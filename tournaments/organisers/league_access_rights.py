"""Access rights to leagues."""
# Only this module grants them. Everything that its dict `RIGHTS` does not grant is forbidden.

from __future__ import annotations

from django.contrib.auth.models import User
from rules.predicates import Predicate, is_active, is_staff, predicate

from bots.access.teams import bots_with_interest
from tournaments.models import League, LeagueMatch
from tournaments.models.organiser_roles import LeagueRole

Role = LeagueRole.Role
ACT, REJUDGE, SEE_HIDDEN, APPOINT, SEE_DESK = "act", "rejudge", "see hidden", "appoint", "see desk"
SEE_UNRELEASED, SEE_ANSWERS = "see unreleased", "see answers"
"""Names of the rights.

* ACT: execute acts on the league, except acts that need REJUDGE or APPOINT.
* REJUDGE: overrule the result of a match, or void the match.
* SEE_HIDDEN: see the hidden information of all players in live matches.
* APPOINT: appoint co-organisers and judges.
* SEE_DESK: see proposed and refused acts.
* SEE_UNRELEASED: see the moves of matches before their replays are released.
* SEE_ANSWERS: see the answers of entrants to the league's questions.
"""


def _is(person: User, league: League, *roles: str) -> bool:
    return LeagueRole.objects.filter(league=league, person_id=person.pk, role__in=roles).exists()


@predicate
def is_main_organiser(person: User, league: League) -> bool:
    """Return True if the person is the organiser who opened the league; co-organisers do not count."""
    return _is(person, league, Role.ORGANISER)


@predicate
def organises(person: User, league: League) -> bool:
    """Return True if the person is the organiser or a co-organiser of the league."""
    return _is(person, league, Role.ORGANISER, Role.CO_ORGANISER)


@predicate
def judges(person: User, league: League) -> bool:
    """Return True if the person is a judge of the league."""
    # Judges may change or void the results of matches.
    return _is(person, league, Role.JUDGE)


@predicate
def has_own_bot(person: User, league: League) -> bool:
    """Return True if a bot of the person, or of their team, was ever entered in the league."""
    # Withdrawn bots count too, and so do the bots of a team that the person left within the last
    # `bots.access.teams.FORMER_MEMBER_DAYS` days.
    return league.entrants.filter(version__bot__in=bots_with_interest(person.pk)).exists()


RIGHTS: dict[str, Predicate] = {
    ACT: is_active & (organises | is_staff),
    REJUDGE: is_active & (judges | organises | is_staff),
    SEE_HIDDEN: is_active & judges & ~has_own_bot,
    SEE_UNRELEASED: is_active & (judges | is_staff) & ~has_own_bot,
    APPOINT: is_active & (is_main_organiser | is_staff),
    SEE_ANSWERS: is_active & organises,
    SEE_DESK: is_active & (judges | organises | is_staff),
}


def may(right: str, person: object, league: League) -> bool:
    """Return True if the person has this right in the league; anonymous visitors have none."""
    return isinstance(person, User) and right in RIGHTS and bool(RIGHTS[right].test(person, league))


def sees_hidden(match_id: str, user_id: int) -> bool:
    """Return True if the user may see the hidden information of a live match."""
    # Only judges of the match's league may, unless a bot of theirs was entered in the league.
    return _may_see(SEE_HIDDEN, match_id, user_id)


def sees_unreleased(match_id: str, user_id: int) -> bool:
    """Return True if the user may see a match before its replay is public."""
    # Only staff and judges of the match's league may, unless a bot of theirs was entered in the league.
    return _may_see(SEE_UNRELEASED, match_id, user_id)


def _may_see(right: str, match_id: str, user_id: int) -> bool:
    table = LeagueMatch.objects.select_related("league").filter(match=match_id).first()
    person = User.objects.filter(pk=user_id).first()
    return table is not None and may(right, person, table.league)
