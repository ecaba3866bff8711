"""What was done to a league, in sentences, for everybody to read: who, when, why, and what it changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction

from ftk_core.league import acts
from ftk_core.league.facts import Act, BotEntered, ResultRecorded
from ftk_core.league.state import LeagueState, Noted, standing
from tournaments.league_overviews import ActRow, Notice
from tournaments.league_words import tell_points

RULED = {"share": "all share it", "loss": "whoever caused that lost it", "replay": "it is played on another deal"}
OnLeague = acts.LeaguePaused | acts.LeagueResumed | acts.LeagueExtended | acts.ReplaysReleased | acts.NoticePosted
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
            return ActRow(what=what, by=_by(noted), at=_moment(noted.at), why=noted.why)
        case acts.MatchReplaced() | acts.MatchVoided() | acts.ResultOverruled():
            return _on_match(league, noted)
        case _:
            why = noted.reason if isinstance(noted, acts.BotWithdrew) else noted.why
            return ActRow(what=_done(league, noted), by=_by(noted), at=_moment(noted.at), why=why)


def list_notices(league: LeagueState) -> list[Notice]:
    """Return what organisers told everybody, the newest first."""
    posted = (act for act in reversed(league.noted) if isinstance(act, acts.NoticePosted))
    return [Notice(act.text, _by(act), _moment(act.at)) for act in posted]


def _by(act: Act | BotEntered) -> str:
    """Return who did it, and who agreed."""
    return f"{act.by}, approved by {act.approved}" if act.approved else act.by


def _on_match(league: LeagueState, act: OnMatch) -> ActRow:
    before = after = ""
    if not isinstance(act, acts.MatchReplaced):
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
        case acts.NoticePosted():
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
