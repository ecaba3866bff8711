"""Who may do what to a league: every right, and nothing else decides. What is not named here nobody may."""

from __future__ import annotations

from django.contrib.auth.models import User
from rules.predicates import Predicate, is_active, is_staff, predicate

from bots.teams import bots_with_interest
from tournaments.models import League, TableMatch
from tournaments.roles import LeagueRole

Role = LeagueRole.Role
ACT, REJUDGE, SEE_HIDDEN, APPOINT, SEE_DESK = "act", "rejudge", "see hidden", "appoint", "see desk"
SEE_UNRELEASED = "see unreleased"
"""To do what `manage.py organise` does; of that, to overrule and to void; to look through all eyes while a match is
played; to make co-organisers and judges; to see what waits and what was refused; to see what happened within a match
before that is everybody's."""


def _is(person: User, league: League, *roles: str) -> bool:
    return LeagueRole.objects.filter(league=league, person_id=person.pk, role__in=roles).exists()


@predicate
def opened_it(person: User, league: League) -> bool:
    """Tell whether somebody is the organiser of a league."""
    return _is(person, league, Role.ORGANISER)


@predicate
def organises(person: User, league: League) -> bool:
    """Tell whether somebody is an organiser of a league, or helps with that."""
    return _is(person, league, Role.ORGANISER, Role.CO_ORGANISER)


@predicate
def judges(person: User, league: League) -> bool:
    """Tell whether somebody is a judge of a league."""
    return _is(person, league, Role.JUDGE)


@predicate
def has_own_bot(person: User, league: League) -> bool:
    """Tell whether a bot of somebody's, or of a team of theirs, was entered in a league.

    Having withdrawn it changes nothing, nor does having left the team lately.
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
    """Tell whether somebody, who may be a visitor, has a right in a league."""
    return isinstance(person, User) and right in RIGHTS and bool(RIGHTS[right].test(person, league))


def sees_hidden(match_id: str, user_id: int) -> bool:
    """Tell whether somebody is a judge of the league that a match belongs to, with no bot of his own in it."""
    return _may_see(SEE_HIDDEN, match_id, user_id)


def sees_unreleased(match_id: str, user_id: int) -> bool:
    """Tell whether somebody is a judge of it or staff, with no bot of his own in it."""
    return _may_see(SEE_UNRELEASED, match_id, user_id)


def _may_see(right: str, match_id: str, user_id: int) -> bool:
    table = TableMatch.objects.select_related("league").filter(match=match_id).first()
    person = User.objects.filter(pk=user_id).first()
    return table is not None and may(right, person, table.league)
