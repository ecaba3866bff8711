"""Table of all ways to change a league by hand, such as a withdrawal or a pause.

Each has the command that produces its event, and a description.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from ftk_core.league import (
    intervention_facts as facts,
    league_correction_command_handlers,
    match_result_command_handlers,
    organiser_command_handlers as commands,
)
from ftk_core.league.intervention_facts import Act
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_facts import ResultRecorded
from ftk_core.league.league_state import LeagueState, effective_result
from ftk_core.league.league_state_from_events import CORRECTABLE_TERMS
from ftk_core.league.voided_match_rules import replay_match


class LeagueInterventionKind(NamedTuple):
    """One way to change a league by hand: its command and its description."""

    command: Callable[..., Act]
    """Function that returns the event. It takes the league, the values of the event's `fields`, and the actor."""
    fields: Sequence[str] = ()
    """Names of the event fields that `command` takes; ``match_key`` stands for the tuple (round, table, game)."""
    heading: str = ""
    """Heading in the report on interventions; empty for an event that cannot change results."""
    describe: Callable[[LeagueState, Any], str] = lambda _, __: ""
    """(league before the event, event) -> description of the event in the report."""


def _describe_overruling(league: LeagueState, act: facts.ResultOverruled) -> str:
    new_result = f"{describe_match(act)} (match {act.match}) counts as {describe_places(act.places)}"
    return f"{new_result} in place of {_former_result(league, act)}"


def _describe_replay(_: LeagueState, act: facts.MatchReplaced) -> str:
    new_match = f"{describe_match(act)} as match {act.new} in place of {act.old} on deal {act.deal + 1} of its table"
    return new_match if act.by else f"{new_match} (the export does not prove that the arena gave match {act.old} up)"


def _former_result(league: LeagueState, act: facts.ResultOverruled | facts.MatchVoided) -> str:
    """Describe the result that a match had before it was corrected or declared void."""
    past = effective_result(league.history.get((act.round, act.table, act.game), ()))
    return describe_places(past.places) if past else "nothing"


def describe_match(
    fact: ResultRecorded | facts.MatchReplaced | facts.MatchVoided | facts.ResultOverruled,
) -> str:
    """Return a text that identifies a match, such as "round 3, table 1, match 2"."""
    return f"round {fact.round}, table {fact.table}, match {fact.game + 1}"


def describe_places(places: Sequence[int]) -> str:
    """Return the finishing places of a match as text, such as "places 2, 1"."""
    return f"places {', '.join(map(str, places))}"


def _describe_pair(league: LeagueState, act: facts.PairingForbidden | facts.DraftedRoundChanged) -> str:
    return f"{_entry_name(league, act.one)} and {_entry_name(league, act.other)}"


def _entry_name(league: LeagueState, entry: int) -> str:
    known = 1 <= entry <= len(league.entrants)
    return f"{league.entrant(entry).name} (entry {entry})" if known else f"entry {entry}"


def _describe_entry(league: LeagueState, act: Any) -> str:
    return _entry_name(league, act.entry)


def _show_term(value: str | int) -> str:
    """Format the value of a league setting. A long value is replaced by its length and SHA-256."""
    if isinstance(value, int) or (len(value) <= facts.MAX_LEAGUE_NAME_CHARACTERS and value.isprintable()):
        return repr(value)
    return f"{len(value)} characters with SHA-256 {sha256(value.encode()).hexdigest()}"


def _describe_correction(league: LeagueState, act: facts.LeagueCorrected) -> str:
    changes = (
        f"{name} from {_show_term(getattr(league.header, name))} to {_show_term(value)}"
        for name in CORRECTABLE_TERMS
        if (value := getattr(act, name)) is not None
    )
    return ", ".join(changes)


INTERVENTION_KINDS: Mapping[type[Act], LeagueInterventionKind] = {
    facts.BotWithdrew: LeagueInterventionKind(
        commands.withdraw_from_league, ["entry"], "Entries withdrawn", _describe_entry
    ),
    facts.WithdrawnBotReturned: LeagueInterventionKind(
        commands.return_entry, ["entry"], "Entries brought back", _describe_entry
    ),
    facts.BotDisqualified: LeagueInterventionKind(
        commands.disqualify_entry, ["entry"], "Entries disqualified", _describe_entry
    ),
    facts.BotAbsenceGranted: LeagueInterventionKind(
        commands.excuse_entry,
        ["entry", "rounds"],
        "Entries excused",
        lambda league, act: f"{_entry_name(league, act.entry)} from rounds {', '.join(map(str, act.rounds))}",
    ),
    facts.PairingForbidden: LeagueInterventionKind(
        commands.forbid_meeting, ["one", "other"], "Meetings forbidden", _describe_pair
    ),
    facts.DraftedRoundChanged: LeagueInterventionKind(
        commands.exchange_entries,
        ["one", "other"],
        "Drafts changed",
        lambda league, act: f"in round {act.round} {_describe_pair(league, act)} changed places (tables {act.tables})",
    ),
    facts.MatchReplaced: LeagueInterventionKind(
        replay_match,
        ["match_key", "old", "new"],
        "Matches played again",
        _describe_replay,
    ),
    facts.MatchVoided: LeagueInterventionKind(
        match_result_command_handlers.void_match,
        ["match_key", "match"],
        "Matches voided",
        lambda league, act: (
            f"{describe_match(act)} (match {act.match}), which counted as {_former_result(league, act)}"
        ),
    ),
    facts.ResultOverruled: LeagueInterventionKind(
        match_result_command_handlers.overrule_result,
        ["match_key", "places"],
        "Results overruled",
        _describe_overruling,
    ),
    facts.LeaguePaused: LeagueInterventionKind(commands.pause_league, [], "Pauses", lambda _, __: "no round begins"),
    facts.LeagueResumed: LeagueInterventionKind(
        commands.resume_league, [], "Ends of pauses", lambda _, __: "rounds begin again"
    ),
    facts.StageEndedEarly: LeagueInterventionKind(
        league_correction_command_handlers.end_stage,
        [],
        "Stages ended early",
        lambda _, act: f"stage {act.stage} ended",
    ),
    facts.LeagueEndedEarly: LeagueInterventionKind(
        league_correction_command_handlers.end_league, [], "Leagues closed early", lambda _, __: "the league was closed"
    ),
    facts.LeagueCancelled: LeagueInterventionKind(
        league_correction_command_handlers.cancel_league,
        [],
        "Leagues cancelled",
        lambda _, __: "the league was cancelled",
    ),
    facts.LeagueCorrected: LeagueInterventionKind(
        lambda league, *terms: league_correction_command_handlers.correct_league(
            league, terms[-1], **dict(zip(CORRECTABLE_TERMS, terms, strict=False))
        ),
        CORRECTABLE_TERMS,
        "Leagues corrected",
        _describe_correction,
    ),
    facts.LeagueExtended: LeagueInterventionKind(
        league_correction_command_handlers.extend_stage,
        ["rounds"],
        "Numbers of rounds changed",
        lambda _, act: f"the stage has {act.rounds} rounds",
    ),
    facts.EntrantBotVersionUpdated: LeagueInterventionKind(
        lambda league, entry, version, name, actor: commands.renew_version(league, entry, version, name, actor.at),
        ["entry", "version", "name"],
        "Versions renewed",
        lambda _, act: f"{act.old} (entry {act.entry}) plays as {act.name}, version {act.version}",
    ),
    facts.AuthorInvited: LeagueInterventionKind(
        commands.invite_author, ["author"], "Authors invited", lambda _, act: str(act.author)
    ),
    facts.ReplaysReleased: LeagueInterventionKind(
        commands.release_replays,
        ["round"],
        "Replays released early",
        lambda _, act: f"of round {act.round}" if act.round else "of all rounds",
    ),
    facts.AnnouncementMade: LeagueInterventionKind(commands.announce_message, ["text"]),
}


def actor_of(act: Any) -> LeagueActor:
    """Return the actor, time, reason and approval of a recorded change."""
    reason = act.reason if isinstance(act, facts.BotWithdrew) else act.why
    return LeagueActor(by=act.by, at=act.at, why=reason, approved=act.approved)


def rerun_command(league: LeagueState, act: Act) -> Act:
    """Run a recorded command again and return the event that it produces now.

    Raises CommandRejected if the command refuses its arguments.
    """
    record = INTERVENTION_KINDS[type(act)]
    fields: Any = act
    arguments = (
        (fields.round, fields.table, fields.game) if name == "match_key" else getattr(act, name)
        for name in record.fields
    )
    return record.command(league, *arguments, actor_of(act))
