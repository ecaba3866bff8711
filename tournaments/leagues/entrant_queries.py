"""Queries for league entries and the authors of their bots, used by notifications."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from bots.access.teams import list_members
from tournaments.models import Entrant, League


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantWithAuthors:
    """One entry of a league and the authors of its bot."""

    number: int
    name: str
    bot: str
    people: frozenset[int]
    """User ids of the authors."""
    withdrawn: bool
    place: int
    """Place in the standings; 0 before the first results of the league."""


def find_league(stream_id: str) -> League:
    """Return the league whose event stream has the name `stream_id`; raises League.DoesNotExist."""
    return League.objects.get(pk=int(stream_id.rpartition("/")[2]))


def find_by_slug(slug: str) -> League:
    """Return the league with this slug; raises League.DoesNotExist with a translated message."""
    league = League.objects.readable().filter(slug=slug).first()
    if league is None:
        raise League.DoesNotExist(gettext("there is no league %(slug)r") % {"slug": slug[:60]})
    return league


def select_placed() -> QuerySet[Entrant]:
    """Return a query for all entries with a place in the standings. Leagues without a first result are left out."""
    # Places are stored when the first stage begins, before any result. `Entrant.played` counts only the latest stage,
    # so it is 0 for a bot that has just qualified, as for a bot with a bye in the first round.
    played = Entrant.objects.filter(league=OuterRef("league"), played__gt=0)
    return Entrant.objects.filter(Q(league__round__gt=1) | Exists(played), place__gt=0)


def list_entrants(league_id: int) -> dict[int, EntrantWithAuthors]:
    """Return the entries of a league with the authors of their bots, by entry number."""
    rows = list(Entrant.objects.filter(league=league_id).select_related("version__bot").order_by("number"))
    places = dict(select_placed().filter(league=league_id).values_list("number", "place"))
    members = list_members({row.version.bot_id for row in rows})
    return {
        row.number: EntrantWithAuthors(
            number=row.number,
            name=row.name,
            bot=row.version.bot.slug,
            people=members[row.version.bot_id],
            withdrawn=row.withdrawn,
            place=places.get(row.number, 0),
        )
        for row in rows
    }
