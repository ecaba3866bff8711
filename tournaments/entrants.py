"""Entrants of leagues with the people behind them, for notifications."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext

from bots.teams import list_members
from tournaments.models import Entrant, League


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantOf:
    """An entry of a league, with the keys of its bot's authors."""

    number: int
    name: str
    bot: str
    people: frozenset[int]
    withdrawn: bool


def find_league(stream_id: str) -> League:
    """Return the league of a stream; raises League.DoesNotExist."""
    return League.objects.get(pk=int(stream_id.rpartition("/")[2]))


def find_by_slug(slug: str) -> League:
    """Return a league by slug; raises League.DoesNotExist with a sentence."""
    league = League.objects.sound().filter(slug=slug).first()
    if league is None:
        raise League.DoesNotExist(gettext("there is no league %(slug)r") % {"slug": slug[:60]})
    return league


def list_entrants(league_id: int) -> dict[int, EntrantOf]:
    """Return a league's entries, by number."""
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
