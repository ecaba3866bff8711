"""Acts on a league as public sentences: actor, time, reason, and effect."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ftk_core.league import acts
from ftk_core.league.acts import Act
from ftk_core.league.facts import BotEntered, ResultRecorded
from ftk_core.league.folding import Steering
from ftk_core.league.state import LeagueState, Noted, standing
from tournaments.league_overviews import ActRow, Announcement
from tournaments.league_words import CHANGED, RELEASES, RULED, tell_points

OnLeague = Steering | acts.ReplaysReleased | acts.AnnouncementMade
OnMatch = acts.MatchReplaced | acts.MatchVoided | acts.ResultOverruled


def tell(league: LeagueState, noted: Noted) -> ActRow:
    """Return a row about one act or ruling for the league's page."""
    match noted:
        case ResultRecorded():
            ruling = RULED[noted.ruled or "share"]
            what = _("%(match)s was void too often: by the league's terms %(ruling)s.")
            what %= {"match": _match(noted), "ruling": _(ruling)}
            after = _ended(league, noted.seating, noted.places)
            return ActRow(what=what, by="", at=None, why="", match=noted.match, after=after)
        case BotEntered():
            given = (
                _(" and was given %(points)s") % {"points": tell_points(noted.points)} if Fraction(noted.points) else ""
            )
            what = _("%(name)s entered late, for round %(round)s%(given)s.") % {
                "name": noted.name,
                "round": noted.round,
                "given": given,
            }
            after = _("plays from round %(round)s on") % {"round": noted.round}
            return ActRow(
                what=what, by=_by(noted), at=_moment(noted.at), why=noted.why, before=_("was not entered"), after=after
            )
        case acts.MatchReplaced() | acts.MatchVoided() | acts.ResultOverruled():
            return _on_match(league, noted)
        case _:
            why = noted.reason if isinstance(noted, acts.BotWithdrew) else noted.why
            before, after = _changed(league, noted)
            return ActRow(
                what=_done(league, noted), by=_by(noted), at=_moment(noted.at), why=why, before=before, after=after
            )


def _changed(league: LeagueState, act: Act) -> tuple[str, str]:
    """Return the state before and after an act, in words."""
    match act:
        case acts.BotExcused():
            return _("paired in every round"), ngettext(
                "not paired in round %(rounds)s", "not paired in rounds %(rounds)s", len(act.rounds)
            ) % {"rounds": _listed(act.rounds)}
        case acts.LeagueExtended():
            return _rounds_before(league, act), _rounds(act.rounds)
        case acts.ReplaysReleased():
            return _("everybody's %(release)s") % {"release": _(RELEASES[league.header.release])}, _("everybody's")
        case acts.LeaguePaused() | acts.LeagueResumed():
            goes_on = (
                _("rounds begin when the organiser begins them") if league.header.held else _("rounds begin as due")
            )
            stands = _("no round begins")
            return (goes_on, stands) if isinstance(act, acts.LeaguePaused) else (stands, goes_on)
        case acts.VersionRenewed():
            return act.old, act.name
        case acts.RoundChanged(one=one, other=other, tables=tables):
            return _sat(league, tables, (one, other)), _sat(league, tables, (other, one))
        case _:
            before, after = CHANGED.get(type(act), ("", ""))
            return _(before) if before else "", _(after) if after else ""


def _sat(league: LeagueState, tables: Sequence[int], entries: Sequence[int]) -> str:
    """Return which of two entries sits at which of two tables; empty in older streams without this."""
    if not tables:
        return ""
    places = zip(entries, tables, strict=True)
    return ", ".join(
        (_("%(name)s at table %(table)s") if table else _("%(name)s rests"))
        % {"name": league.entrant(entry).name, "table": table}
        for entry, table in places
    )


def _rounds_before(league: LeagueState, act: acts.LeagueExtended) -> str:
    """Return the number of rounds before an act changed it; unknown if the stages changed too."""
    if len(league.stages) > 1:
        return ""
    earlier = league.noted[: next(at for at, noted in enumerate(league.noted) if noted is act)]
    said = [one.rounds for one in earlier if isinstance(one, acts.LeagueExtended)]
    return _rounds([league.stages[0].rounds, *said][-1])


def _rounds(number: int) -> str:
    said = ngettext("%(n)s round", "%(n)s rounds", number) % {"n": number}
    return said if number else _("as many rounds as its format needs")


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def list_announcements(league: LeagueState) -> list[Announcement]:
    """Return the announcements of organisers, newest first."""
    posted = (act for act in reversed(league.noted) if isinstance(act, acts.AnnouncementMade))
    return [Announcement(act.text, _by(act), _moment(act.at)) for act in posted]


def _by(act: Act | BotEntered) -> str:
    """Return the actor, and the approver if any."""
    return _("%(by)s, approved by %(approved)s") % {"by": act.by, "approved": act.approved} if act.approved else act.by


def _on_match(league: LeagueState, act: OnMatch) -> ActRow:
    if isinstance(act, acts.MatchReplaced):
        before, after = (
            _("played as match %(match)s") % {"match": act.old},
            _("played as match %(match)s") % {"match": act.new},
        )
    else:
        past = league.history[act.round, act.table, act.game]
        was, now = standing(past[: past.index(act)]), standing(past[: past.index(act) + 1])
        before, after = (_ended(league, each.seating, each.places) if each else _("no result") for each in (was, now))
    match = act.new if isinstance(act, acts.MatchReplaced) else act.match
    return ActRow(
        what=_done(league, act),
        by=_by(act),
        at=_moment(act.at),
        why=act.why,
        match=match,
        before=before,
        after=after,
    )


def _done(league: LeagueState, act: Act) -> str:
    """Return the sentence of an act."""
    match act:
        case acts.MatchReplaced():
            deal = _("on deal %(deal)s of its table") % {"deal": act.deal + 1} if act.deal else _("on the same deal")
            return _("%(match)s was void and is played again %(deal)s.") % {"match": _match(act), "deal": deal}
        case acts.MatchVoided():
            return _("%(match)s counts for nobody.") % {"match": _match(act)}
        case acts.ResultOverruled():
            return _("%(match)s counts with other places than it was played to.") % {"match": _match(act)}
        case acts.AuthorInvited() | acts.VersionRenewed():
            return _done_at_the_door(act)
        case _ if isinstance(act, OnLeague):
            return _done_to_all(act)
        case _:
            return _done_to_entries(league, act)


def _done_at_the_door(act: acts.AuthorInvited | acts.VersionRenewed) -> str:
    if isinstance(act, acts.AuthorInvited):
        return _("%(author)s was invited to enter.") % {"author": act.author}
    return _("%(old)s plays as %(name)s: it was entered as the newest version until its round is paired.") % {
        "old": act.old,
        "name": act.name,
    }


def _done_to_all(act: OnLeague) -> str:
    match act:
        case acts.LeaguePaused():
            return _("The league was paused: no round begins.")
        case acts.LeagueResumed():
            return _("The league was resumed: rounds begin again.")
        case acts.LeagueExtended():
            return _("The stage that was being played has %(rounds)s now.") % {"rounds": _rounds(act.rounds)}
        case acts.StageCut():
            return _("Stage %(stage)s was ended by its organiser.") % {"stage": act.stage}
        case acts.LeagueEnded():
            return _("The league was closed by its organiser.")
        case acts.ReplaysReleased():
            one = _("The replays of round %(round)s were released to everybody.") % {"round": act.round}
            return one if act.round else _("The replays of all rounds were released to everybody.")
        case acts.AnnouncementMade():
            return _("Everybody was told: %(text)s") % {"text": act.text}


def _done_to_entries(
    league: LeagueState,
    act: acts.BotWithdrew
    | acts.BotReturned
    | acts.BotExcused
    | acts.BotDisqualified
    | acts.MeetingForbidden
    | acts.RoundChanged,
) -> str:
    def name(entry: int) -> str:
        return league.entrant(entry).name

    match act:
        case acts.BotWithdrew():
            return _("%(name)s withdrew.") % {"name": name(act.entry)}
        case acts.BotReturned():
            return _("%(name)s came back.") % {"name": name(act.entry)}
        case acts.BotExcused():
            said = ngettext(
                "%(name)s is left out of round %(rounds)s.",
                "%(name)s is left out of rounds %(rounds)s.",
                len(act.rounds),
            )
            return said % {"name": name(act.entry), "rounds": _listed(act.rounds)}
        case acts.BotDisqualified():
            return _("%(name)s was disqualified: it plays no more and stands behind all others.") % {
                "name": name(act.entry)
            }
        case acts.MeetingForbidden():
            return _("%(one)s and %(other)s are not to meet from now on.") % {
                "one": name(act.one),
                "other": name(act.other),
            }
        case acts.RoundChanged():
            return _("In the draft of round %(round)s %(one)s and %(other)s changed places.") % {
                "round": act.round,
                "one": name(act.one),
                "other": name(act.other),
            }


def _match(what: OnMatch | ResultRecorded) -> str:
    return _("Match %(game)s of table %(table)s in round %(round)s") % {
        "game": what.game + 1,
        "table": what.table,
        "round": what.round,
    }


def _ended(league: LeagueState, seating: Sequence[int], places: Sequence[int]) -> str:
    """Return the order of finish, the first first."""
    order = sorted(zip(places, seating, strict=True))
    return ", ".join(f"{place}. {league.entrant(entry).name}" for place, entry in order)


def _moment(seconds: int) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if seconds else None
