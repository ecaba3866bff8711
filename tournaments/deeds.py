"""What was done to a league, in sentences, for everybody to read: who, when, why, and what it changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction

from ftk_core.league import acts
from ftk_core.league.facts import Act, BotEntered, ResultRecorded
from ftk_core.league.state import LeagueState, Noted, standing
from tournaments.league_overviews import ActRow, Announcement
from tournaments.league_words import RELEASES, tell_points

RULED = {"share": "all share it", "loss": "whoever caused that lost it", "replay": "it is played on another deal"}
CHANGED: dict[type, tuple[str, str]] = {
    acts.BotWithdrew: ("paired", "not paired any more"),
    acts.BotReturned: ("not paired", "paired again"),
    acts.BotDisqualified: ("paired, and placed by its points", "not paired, and behind all others"),
    acts.MeetingForbidden: ("they could meet", "they are not paired together"),
    acts.AuthorInvited: ("could not enter", "may enter"),
}
"""By kind of act: how it was, and how it is now, where that is always the same."""
OnLeague = acts.LeaguePaused | acts.LeagueResumed | acts.LeagueExtended | acts.ReplaysReleased | acts.AnnouncementMade
OnMatch = acts.MatchReplaced | acts.MatchVoided | acts.ResultOverruled


def tell(league: LeagueState, noted: Noted) -> ActRow:
    """Return one thing that was done to a league, as its page tells it."""
    match noted:
        case ResultRecorded():
            what = f"{_match(noted)} was void too often: by the league's terms {RULED[noted.ruled or 'share']}."
            after = _ended(league, noted.seating, noted.places)
            return ActRow(what=what, by="", at=None, why="", match=noted.match, after=after)
        case BotEntered():
            given = f" and was given {tell_points(noted.points)}" if Fraction(noted.points) else ""
            what = f"{noted.name} entered late, for round {noted.round}{given}."
            after = f"plays from round {noted.round} on"
            return ActRow(
                what=what, by=_by(noted), at=_moment(noted.at), why=noted.why, before="was not entered", after=after
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
    """Return how it was before an act, and is now, in words."""
    match act:
        case acts.BotExcused():
            return "paired in every round", f"not paired in round{'s' * (len(act.rounds) != 1)} {_listed(act.rounds)}"
        case acts.LeagueExtended():
            return _rounds_before(league, act), _rounds(act.rounds)
        case acts.ReplaysReleased():
            return f"everybody's {RELEASES[league.header.release]}", "everybody's"
        case acts.LeaguePaused() | acts.LeagueResumed():
            goes_on = "rounds begin when the organiser begins them" if league.header.held else "rounds begin as due"
            stands = "no round begins"
            return (goes_on, stands) if isinstance(act, acts.LeaguePaused) else (stands, goes_on)
        case acts.VersionRenewed():
            return act.old, act.name
        case acts.RoundChanged(one=one, other=other, tables=tables):
            return _sat(league, tables, (one, other)), _sat(league, tables, (other, one))
        case _:
            return CHANGED.get(type(act), ("", ""))


def _sat(league: LeagueState, tables: Sequence[int], entries: Sequence[int]) -> str:
    """Return who of two sits at which of two tables; empty in streams from before it was said."""
    if not tables:
        return ""
    places = zip(entries, tables, strict=True)
    return ", ".join(
        f"{league.entrant(entry).name} {f'at table {table}' if table else 'rests'}" for entry, table in places
    )


def _rounds_before(league: LeagueState, act: acts.LeagueExtended) -> str:
    """Return how many rounds were played before an act changed that; unknown where stages change, too."""
    if len(league.stages) > 1:
        return ""
    earlier = league.noted[: next(at for at, noted in enumerate(league.noted) if noted is act)]
    said = [one.rounds for one in earlier if isinstance(one, acts.LeagueExtended)]
    return _rounds([league.stages[0].rounds, *said][-1])


def _rounds(number: int) -> str:
    return f"{number} round{'s' * (number != 1)}" if number else "as many rounds as its format needs"


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def list_announcements(league: LeagueState) -> list[Announcement]:
    """Return what organisers told everybody, the newest first."""
    posted = (act for act in reversed(league.noted) if isinstance(act, acts.AnnouncementMade))
    return [Announcement(act.text, _by(act), _moment(act.at)) for act in posted]


def _by(act: Act | BotEntered) -> str:
    """Return who did it, and who agreed."""
    return f"{act.by}, approved by {act.approved}" if act.approved else act.by


def _on_match(league: LeagueState, act: OnMatch) -> ActRow:
    if isinstance(act, acts.MatchReplaced):
        before, after = f"played as match {act.old}", f"played as match {act.new}"
    else:
        past = league.history[act.round, act.table, act.game]
        was, now = standing(past[: past.index(act)]), standing(past[: past.index(act) + 1])
        before, after = (_ended(league, each.seating, each.places) if each else "no result" for each in (was, now))
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
    """Return the sentence."""
    match act:
        case acts.MatchReplaced():
            deal = f"on deal {act.deal + 1} of its table" if act.deal else "on the same deal"
            return f"{_match(act)} was void and is played again {deal}."
        case acts.MatchVoided():
            return f"{_match(act)} counts for nobody."
        case acts.ResultOverruled():
            return f"{_match(act)} counts with other places than it was played to."
        case acts.AuthorInvited() | acts.VersionRenewed():
            return _done_at_the_door(act)
        case _ if isinstance(act, OnLeague):
            return _done_to_all(act)
        case _:
            return _done_to_entries(league, act)


def _done_at_the_door(act: acts.AuthorInvited | acts.VersionRenewed) -> str:
    if isinstance(act, acts.AuthorInvited):
        return f"{act.author} was invited to enter."
    return f"{act.old} plays as {act.name}: it was entered as the newest version until its round is paired."


def _done_to_all(act: OnLeague) -> str:
    match act:
        case acts.LeaguePaused():
            return "The league was paused: no round begins."
        case acts.LeagueResumed():
            return "The league was resumed: rounds begin again."
        case acts.LeagueExtended():
            return f"The stage that was being played has {act.rounds} round{'s' * (act.rounds != 1)} now."
        case acts.ReplaysReleased():
            return f"The replays of {f'round {act.round}' if act.round else 'all rounds'} were released to everybody."
        case acts.AnnouncementMade():
            return f"Everybody was told: {act.text}"


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
            return f"{name(act.entry)} withdrew."
        case acts.BotReturned():
            return f"{name(act.entry)} came back."
        case acts.BotExcused():
            rounds = ", ".join(map(str, act.rounds))
            return f"{name(act.entry)} is left out of round{'s' * (len(act.rounds) != 1)} {rounds}."
        case acts.BotDisqualified():
            return f"{name(act.entry)} was disqualified: it plays no more and stands behind all others."
        case acts.MeetingForbidden():
            return f"{name(act.one)} and {name(act.other)} are not to meet from now on."
        case acts.RoundChanged():
            return f"In the draft of round {act.round} {name(act.one)} and {name(act.other)} changed places."


def _match(what: OnMatch | ResultRecorded) -> str:
    return f"Match {what.game + 1} of table {what.table} in round {what.round}"


def _ended(league: LeagueState, seating: Sequence[int], places: Sequence[int]) -> str:
    """Return who came where, the first first."""
    order = sorted(zip(places, seating, strict=True))
    return ", ".join(f"{place}. {league.entrant(entry).name}" for place, entry in order)


def _moment(seconds: int) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if seconds else None
