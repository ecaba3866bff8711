"""Access rights to leagues: the only module that decides them. Everything not listed here is forbidden."""

from __future__ import annotations

from django.contrib.auth.models import User
from rules.predicates import Predicate, is_active, is_staff, predicate

from bots.teams import bots_with_interest
from tournaments.models import League, TableMatch
from tournaments.roles import LeagueRole

Role = LeagueRole.Role
ACT, REJUDGE, SEE_HIDDEN, APPOINT, SEE_DESK = "act", "rejudge", "see hidden", "appoint", "see desk"
SEE_UNRELEASED = "see unreleased"
"""Names of the rights.

* ACT: the acts of `manage.py organise`.
* REJUDGE: of these, to overrule and to void.
* SEE_HIDDEN: the omniscient view of live matches.
* APPOINT: to appoint co-organisers and judges.
* SEE_DESK: proposals and refusals.
* SEE_UNRELEASED: the inside of matches before their release.
"""


def _is(person: User, league: League, *roles: str) -> bool:
    return LeagueRole.objects.filter(league=league, person_id=person.pk, role__in=roles).exists()


@predicate
def opened_it(person: User, league: League) -> bool:
    """Return True for the organiser of a league."""
    return _is(person, league, Role.ORGANISER)


@predicate
def organises(person: User, league: League) -> bool:
    """Return True for an organiser or co-organiser of a league."""
    return _is(person, league, Role.ORGANISER, Role.CO_ORGANISER)


@predicate
def judges(person: User, league: League) -> bool:
    """Return True for a judge of a league."""
    return _is(person, league, Role.JUDGE)


@predicate
def has_own_bot(person: User, league: League) -> bool:
    """Return True if a bot of the person, or of their team, was entered in a league.

    Withdrawing it, or having left the team recently, changes nothing.
    """
    return league.entrants.filter(version__bot__in=bots_with_interest(person.pk)).exists()


RIGHTS: dict[str, Predicate] = {
    ACT: is_active & (organises | is_staff),
    REJUDGE: is_active & (judges | organises | is_staff),
    SEE_HIDDEN: is_active & judges & ~has_own_bot,
    SEE_UNRELEASED: is_active & (judges | is_staff) & ~has_own_bot,
    APPOINT: is_active & (opened_it | is_staff),
    SEE_DESK: is_active & (judges | organises | is_staff),
}


def may(right: str, person: object, league: League) -> bool:
    """Return True if a person or visitor has a right in a league."""
    return isinstance(person, User) and right in RIGHTS and bool(RIGHTS[right].test(person, league))


def sees_hidden(match_id: str, user_id: int) -> bool:
    """Return True for a judge of the match's league without a bot in it."""
    return _may_see(SEE_HIDDEN, match_id, user_id)


def sees_unreleased(match_id: str, user_id: int) -> bool:
    """Return True for a judge of the match's league, or staff, without a bot in it."""
    return _may_see(SEE_UNRELEASED, match_id, user_id)


def _may_see(right: str, match_id: str, user_id: int) -> bool:
    table = TableMatch.objects.select_related("league").filter(match=match_id).first()
    person = User.objects.filter(pk=user_id).first()
    return table is not None and may(right, person, table.league)
