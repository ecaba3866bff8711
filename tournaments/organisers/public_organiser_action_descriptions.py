"""Descriptions of organisers' actions for the public page of a league."""

from __future__ import annotations

from django.utils.translation import gettext as _

from foundation.keyset_pagination import offset_of_cursor
from ftk_core.league import intervention_facts
from ftk_core.league.intervention_facts import Act
from ftk_core.league.league_facts import BotEntered, ResultRecorded
from ftk_core.league.league_state import LeagueState, NotedFact
from tournaments.leagues.league_event_projection import load, read_time
from tournaments.models import League
from tournaments.organisers.organiser_action_definition import OrganiserActionDescription, match_title, order_of_finish
from tournaments.organisers.organiser_actions import descriptions
from tournaments.summaries.league_overviews import OrganiserActionList, OrganiserActionSummary, OrganiserAnnouncement

ACTS_PAGE = 50
"""Actions on a page of the public list."""
RULINGS = {
    "share": lambda: _("%(match)s was void too often: by the league's terms all share it."),
    "loss": lambda: _("%(match)s was void too often: by the league's terms the bot at fault lost it."),
    "replay": lambda: _("%(match)s was void too often: by the league's terms it is played on another deal."),
}


def read_acts(slug: str, after: str = "") -> tuple[League, OrganiserActionList]:
    """Return a league and one page of its organisers' actions; raises League.DoesNotExist or InvalidCursorError."""
    league = League.objects.readable().get(slug=slug)
    _, state = load(league)
    until = offset_of_cursor(state.noted, after) or len(state.noted)
    first = max(0, until - ACTS_PAGE)
    return league, OrganiserActionList(
        [describe_act(state, noted) for noted in reversed(state.noted[first:until])], str(first or "")
    )


def describe_act(league: LeagueState, noted: NotedFact) -> OrganiserActionSummary:
    """Return a description of an organiser's action, or of an automatic change, for the league's page.

    A change is automatic if the league's settings decide a match without a result, or if an entry switches to a newer
    version of its bot.
    """
    if isinstance(noted, ResultRecorded):
        what = RULINGS[noted.ruled or "share"]() % {"match": match_title(noted)}
        after = order_of_finish(league, noted.seating, noted.places)
        return OrganiserActionSummary(what=what, by="", at=None, why="", match=noted.match, after=after)
    if isinstance(noted, intervention_facts.EntrantBotVersionUpdated):
        described = _renewal(noted)
    else:
        described = descriptions()[type(noted)](league, noted)
    return OrganiserActionSummary(
        what=described.what,
        by=_actor(noted),
        at=read_time(noted.at),
        why=noted.reason if isinstance(noted, intervention_facts.BotWithdrew) else noted.why,
        match=described.match,
        before=described.before,
        after=described.after,
    )


def list_announcements(league: LeagueState) -> list[OrganiserAnnouncement]:
    """Return the announcements of a league's organisers, newest first."""
    posted = (act for act in reversed(league.noted) if isinstance(act, intervention_facts.AnnouncementMade))
    return [OrganiserAnnouncement(act.text, _actor(act), read_time(act.at)) for act in posted]


def _renewal(act: intervention_facts.EntrantBotVersionUpdated) -> OrganiserActionDescription:
    what = _("%(old)s plays as %(name)s: it was entered as the newest version until its round is paired.")
    return OrganiserActionDescription(what=what % {"old": act.old, "name": act.name}, before=act.old, after=act.name)


def _actor(act: Act | BotEntered) -> str:
    """Return the names of the person who acted and of the organiser who approved, if any."""
    return _("%(by)s, approved by %(approved)s") % {"by": act.by, "approved": act.approved} if act.approved else act.by
