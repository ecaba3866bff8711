"""Commands of organisers and authors to a league: each returns an event or raises CommandRejected."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ftk_core.i18n import Message, is_printable_text
from ftk_core.league import intervention_facts
from ftk_core.league.drafted_round_validation import check_draft, check_not_paired_ahead
from ftk_core.league.entry_and_qualification_rules import check_renewal
from ftk_core.league.formats import find_format
from ftk_core.league.league_event_actors import LeagueActor, attribution_of
from ftk_core.league.league_facts import RoundDrafted, RoundPaired
from ftk_core.league.league_state import CommandRejected, LeagueEntrant, LeagueState
from ftk_core.league.league_state_from_events import exchange_in_draft
from ftk_core.league.scoring.entrant_stage_totals import starting_points_of
from ftk_core.league.stage_progress import NextRoundDecision, progress_of

MAX_LEAGUE_ROUNDS = 1000
"""Maximum number of rounds of a league."""
MAX_ANNOUNCEMENT_CHARACTERS = 200
"""Maximum length of an announcement in characters."""


def begin_draft(league: LeagueState, at: int, *, strictly: bool = False) -> RoundPaired:
    """Return the event that begins the drafted (paired) round; raise CommandRejected if the draft became invalid.

    Versions 0 and 1 of the league rules let a round begin during a pause. `strictly` forbids it in all leagues.
    """
    draft = _draft(league)
    if league.paused and (strictly or league.header.rules >= 2):
        raise CommandRejected("%(league)s is paused; resume it first", league=league.header.name)
    check_draft(league)
    weighed = draft.weighed
    if draft.round in league.changed:
        # folding and verifying a league must work without numpy
        from ftk_core.league.drafted_round_quality_certificate import compute_certificate

        weighed = compute_certificate(
            progress_of(league, link=draft.link), NextRoundDecision(tables=draft.tables, rests=draft.rests)
        )
    return RoundPaired(
        round=draft.round,
        tables=draft.tables,
        weighed=weighed,
        rests=draft.rests,
        link=draft.link,
        at=at,
        draft=draft.draft,
    )


def exchange_entries(
    league: LeagueState, one: int, other: int, actor: LeagueActor
) -> intervention_facts.DraftedRoundChanged:
    """Return the event by which two bots exchange their seats in a round that has not begun.

    Raises CommandRejected if the format forbids this, if nothing would change, or if a forbidden pair would meet.
    """
    # A bot that has a bye takes the seat of the other, which gets the bye.
    draft = _draft(league)
    drafted = [entry for table in draft.tables for entry in table.seating] + [rest.entry for rest in draft.rests]
    for entry in (one, other):
        if entry not in drafted or league.entrant(entry).withdrawn:
            raise CommandRejected("entry %(entry)s is not in round %(round)s", entry=entry, round=draft.round)
    sat = {entry: table.number for table in draft.tables for entry in table.seating}
    tables = sat.get(one, 0), sat.get(other, 0)
    fact = intervention_facts.DraftedRoundChanged(
        round=draft.round, one=one, other=other, tables=tables, **attribution_of(actor)
    )
    after = exchange_in_draft(draft, fact)
    if one == other or after == msgspec.structs.replace(draft, weighed=None):
        raise CommandRejected("exchanging entries %(one)s and %(other)s changes nothing", one=one, other=other)
    for table in after.tables:
        if meeting := next((pair for pair in league.forbidden if pair <= set(table.seating)), None):
            raise CommandRejected(
                "then entries %(one)s and %(other)s meet, which is forbidden", one=min(meeting), other=max(meeting)
            )
    if fixed := find_format(league.terms_of(draft.round).format).fixed:
        raise CommandRejected("%(reason)s; rounds of this format cannot be changed by hand", reason=Message(fixed))
    return fact


def _draft(league: LeagueState) -> RoundDrafted:
    if league.draft is None:
        raise CommandRejected("no round of %(league)s is drafted and waits", league=league.header.name)
    return league.draft


def withdraw_from_league(league: LeagueState, entry: int, actor: LeagueActor) -> intervention_facts.BotWithdrew:
    """Return the event that withdraws a bot from future rounds; its current matches go on."""
    entrant = _active_entrant(league, entry)
    if entrant.withdrawn:
        raise CommandRejected("%(bot)s has withdrawn already", bot=entrant.name)
    act = attribution_of(actor)
    return intervention_facts.BotWithdrew(
        entry=entry, reason=act["why"], by=act["by"], at=act["at"], approved=act["approved"]
    )


def return_entry(
    league: LeagueState, entry: int, actor: LeagueActor, *, strictly: bool = False
) -> intervention_facts.WithdrawnBotReturned:
    """Return the event that brings a withdrawn bot back for the next rounds; raise CommandRejected if it may not.

    Versions 0 to 2 of the league rules let a bot come back that is not in the current stage. `strictly` forbids it in
    all leagues.
    """
    entrant = _active_entrant(league, entry)
    if not entrant.withdrawn or entrant.disqualified:
        if entrant.disqualified:
            raise CommandRejected("%(bot)s is disqualified", bot=entrant.name)
        raise CommandRejected("%(bot)s is in the league", bot=entrant.name)
    stage = league.begun[-1] if league.begun and (strictly or league.header.rules >= 3) else None
    if stage and not stage.ended and entry not in starting_points_of(league, stage):
        raise CommandRejected("%(bot)s is not in the stage that is being played", bot=entrant.name)
    return intervention_facts.WithdrawnBotReturned(entry=entry, **attribution_of(actor))


def excuse_entry(
    league: LeagueState, entry: int, rounds: Sequence[int], actor: LeagueActor
) -> intervention_facts.BotAbsenceGranted:
    """Return the event that excuses a bot from the given rounds, which are not paired yet."""
    entrant = _active_entrant(league, entry)
    first = len(league.rounds) + (2 if league.draft else 1)
    if not rounds or any(not first <= number <= MAX_LEAGUE_ROUNDS for number in rounds):
        raise CommandRejected(
            "%(bot)s can be excused from round %(round)s on; say from which rounds", bot=entrant.name, round=first
        )
    return intervention_facts.BotAbsenceGranted(entry=entry, rounds=tuple(sorted(set(rounds))), **attribution_of(actor))


def disqualify_entry(league: LeagueState, entry: int, actor: LeagueActor) -> intervention_facts.BotDisqualified:
    """Return the event that disqualifies a bot, which then ranks last."""
    if (entrant := _active_entrant(league, entry)).disqualified:
        raise CommandRejected("%(bot)s is disqualified already", bot=entrant.name)
    return intervention_facts.BotDisqualified(entry=entry, **attribution_of(actor))


def forbid_meeting(
    league: LeagueState, one: int, other: int, actor: LeagueActor
) -> intervention_facts.PairingForbidden:
    """Return the event that forbids two bots to meet in any round that begins from now on."""
    names = _active_entrant(league, one).name, _active_entrant(league, other).name
    if one == other or frozenset((one, other)) in league.forbidden:
        if one == other:
            raise CommandRejected("%(one)s and %(other)s are one entry", one=names[0], other=names[1])
        raise CommandRejected("%(one)s and %(other)s are kept apart already", one=names[0], other=names[1])
    check_not_paired_ahead(league, one, other)
    return intervention_facts.PairingForbidden(one=min(one, other), other=max(one, other), **attribution_of(actor))


def invite_author(league: LeagueState, author: str, actor: LeagueActor) -> intervention_facts.AuthorInvited:
    """Return the event that invites an author to a league that only invited authors may enter."""
    check_open(league)
    if league.header.who != "invited":
        raise CommandRejected("anybody may enter %(league)s; nobody needs to be invited", league=league.header.name)
    if not author.strip() or author in league.invited:
        if not author.strip():
            raise CommandRejected("say which author is invited, by name")
        raise CommandRejected("%(author)s is invited already", author=author)
    return intervention_facts.AuthorInvited(author=author, **attribution_of(actor))


def renew_version(
    league: LeagueState, entry: int, version: int, name: str, at: int
) -> intervention_facts.EntrantBotVersionUpdated:
    """Return the event that replaces a bot by a newer version before its first round is drafted or begins."""
    entrant = _active_entrant(league, entry)
    check_renewal(league, entrant, version, name)
    return intervention_facts.EntrantBotVersionUpdated(entry=entry, version=version, name=name, old=entrant.name, at=at)


def pause_league(league: LeagueState, actor: LeagueActor) -> intervention_facts.LeaguePaused:
    """Return the event that pauses the league: no round begins until it is resumed."""
    check_open(league)
    if league.paused:
        raise CommandRejected("%(league)s is paused already", league=league.header.name)
    return intervention_facts.LeaguePaused(**attribution_of(actor))


def resume_league(league: LeagueState, actor: LeagueActor) -> intervention_facts.LeagueResumed:
    """Return the event that ends a pause, so that rounds can begin again."""
    check_open(league)
    if not league.paused:
        raise CommandRejected("%(league)s is not paused", league=league.header.name)
    return intervention_facts.LeagueResumed(**attribution_of(actor))


def release_replays(league: LeagueState, round_: int, actor: LeagueActor) -> intervention_facts.ReplaysReleased:
    """Return the event that makes the replays of a round public; 0 means all rounds."""
    # This cannot be undone.
    check_open(league)
    if not 0 <= round_ <= len(league.rounds):
        raise CommandRejected(
            "%(league)s has no round %(round)s yet; 0 releases all, those to come too",
            league=league.header.name,
            round=round_,
        )
    if all(league.is_released(number) for number in ([round_] if round_ else range(1, len(league.rounds) + 2))):
        if round_:
            raise CommandRejected("the replays of round %(round)s are released already", round=round_)
        raise CommandRejected("the replays of %(league)s are released already", league=league.header.name)
    return intervention_facts.ReplaysReleased(round=round_, **attribution_of(actor))


def announce_message(league: LeagueState, text: str, actor: LeagueActor) -> intervention_facts.AnnouncementMade:
    """Return the event that publishes an organiser's message, reduced to one line."""
    check_open(league)
    line = " ".join(text.split())
    is_valid = is_printable_text(line) if league.header.rules >= 2 else line.isprintable()
    if not line or len(line) > MAX_ANNOUNCEMENT_CHARACTERS or not is_valid:
        raise CommandRejected(
            "an announcement has 1 to %(most)s characters that can be shown, not %(count)s",
            most=MAX_ANNOUNCEMENT_CHARACTERS, count=len(line),
        )  # fmt: skip
    return intervention_facts.AnnouncementMade(text=line, **attribution_of(actor, reason=False))


def check_open(league: LeagueState) -> None:
    """Raise CommandRejected if the league is closed and can no longer be changed."""
    if league.closed:
        raise CommandRejected(
            "%(league)s is closed and signed; nothing of it can be changed any more", league=league.header.name
        )


def _active_entrant(league: LeagueState, entry: int) -> LeagueEntrant:
    check_open(league)
    if not 1 <= entry <= len(league.entrants):
        raise CommandRejected(
            "%(league)s has entries 1 to %(most)s, not %(entry)s",
            league=league.header.name, most=len(league.entrants), entry=entry,
        )  # fmt: skip
    return league.entrant(entry)
