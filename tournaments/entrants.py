"""Whose bots are in a league, for whoever tells them what happened in it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext

from bots.teams import list_members
from tournaments.models import Entrant, League


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantOf:
    """An entry of a league: what it is called, and the keys of the people whose bot it is."""

    number: int
    name: str
    bot: str
    people: frozenset[int]
    withdrawn: bool


def find_league(stream_id: str) -> League:
    """Return the league whose stream it is; raises League.DoesNotExist."""
    return League.objects.get(pk=int(stream_id.rpartition("/")[2]))


def find_by_slug(slug: str) -> League:
    """Return a league by its name in addresses; raises League.DoesNotExist with a sentence."""
    league = League.objects.sound().filter(slug=slug).first()
    if league is None:
        raise League.DoesNotExist(gettext("there is no league %(slug)r") % {"slug": slug[:60]})
    return league


def list_entrants(league_id: int) -> dict[int, EntrantOf]:
    """Return who is in a league, by the number of the entry."""
    rows = list(Entrant.objects.filter(league=league_id).select_related("version__bot").order_by("number"))
    members = list_members({row.version.bot_id for row in rows})
    return {
        row.number: EntrantOf(
            number=row.number,
            name=row.name,
            bot=row.version.bot.slug,
            people=members[row.version.bot_id],
            withdrawn=row.withdrawn,
        )
        for row in rows
    }
