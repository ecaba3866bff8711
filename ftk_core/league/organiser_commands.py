"""Commands that people give to a running league: each returns an event, or raises CommandRejected with a reason."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ftk_core.league import organiser_facts
from ftk_core.league.actors import LeagueActor, attribution_of
from ftk_core.league.draft_checks import check_draft, check_not_paired_ahead
from ftk_core.league.formats import list_formats
from ftk_core.league.league_facts import ResultRecorded, RoundDrafted, RoundPaired
from ftk_core.league.league_fold import exchange_in_draft
from ftk_core.league.league_state import CommandRejected, LeagueEntry, LeagueState, MatchKey, counting_result
from ftk_core.league.stage_progress import NextRoundDecision, progress_of

MAX_LEAGUE_ROUNDS = 1000
"""Maximum number of rounds of a league."""
MAX_ANNOUNCEMENT_CHARACTERS = 200
"""Maximum length of an announcement in characters."""


def begin_draft(league: LeagueState, at: int) -> RoundPaired:
    """Return the event that begins a drafted round; raise CommandRejected if the draft is no longer valid."""
    draft = _draft(league)
    check_draft(league)
    weighed = draft.weighed
    if draft.round in league.changed:
        # folding and verifying a league must work without numpy
        from ftk_core.league.pairing_certificates import compute_certificate

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
    league: LeagueState, one: int, other: int, hand: LeagueActor
) -> organiser_facts.DraftedRoundChanged:
    """Return the event by which two entries of the drafted round exchange places, if its format allows it."""
    draft = _draft(league)
    drafted = [entry for table in draft.tables for entry in table.seating] + [rest.entry for rest in draft.rests]
    for entry in (one, other):
        if entry not in drafted or league.entrant(entry).withdrawn:
            raise CommandRejected(f"entry {entry} is not in round {draft.round}")
    sat = {entry: table.number for table in draft.tables for entry in table.seating}
    tables = sat.get(one, 0), sat.get(other, 0)
    fact = organiser_facts.DraftedRoundChanged(
        round=draft.round, one=one, other=other, tables=tables, **attribution_of(hand)
    )
    after = exchange_in_draft(draft, fact)
    if one == other or after == msgspec.structs.replace(draft, weighed=None):
        raise CommandRejected(f"exchanging entries {one} and {other} changes nothing")
    for table in after.tables:
        if meeting := next((pair for pair in league.forbidden if pair <= set(table.seating)), None):
            raise CommandRejected(f"then entries {min(meeting)} and {max(meeting)} meet, which is forbidden")
    if fixed := list_formats()[league.terms_of(draft.round).format].fixed:
        raise CommandRejected(f"{fixed}; a round of it is not changed by hand")
    return fact


def _draft(league: LeagueState) -> RoundDrafted:
    if league.draft is None:
        raise CommandRejected(f"no round of {league.header.name} is drafted and waits")
    return league.draft


def withdraw_from_league(league: LeagueState, entry: int, hand: LeagueActor) -> organiser_facts.BotWithdrew:
    """Return the event that withdraws an entry: it is no longer paired, but its current matches are finished."""
    entrant = _active_entrant(league, entry)
    if entrant.withdrawn:
        raise CommandRejected(f"{entrant.name} has withdrawn already")
    act = attribution_of(hand)
    return organiser_facts.BotWithdrew(
        entry=entry, reason=act["why"], by=act["by"], at=act["at"], approved=act["approved"]
    )


def return_entry(league: LeagueState, entry: int, hand: LeagueActor) -> organiser_facts.WithdrawnBotReturned:
    """Return the event that brings a withdrawn entry back, so that it is paired again."""
    entrant = _active_entrant(league, entry)
    if not entrant.withdrawn or entrant.disqualified:
        raise CommandRejected(f"{entrant.name} is {'disqualified' if entrant.disqualified else 'in the league'}")
    return organiser_facts.WithdrawnBotReturned(entry=entry, **attribution_of(hand))


def excuse_entry(
    league: LeagueState, entry: int, rounds: Sequence[int], hand: LeagueActor
) -> organiser_facts.BotExcused:
    """Return the event that excuses an entry from the given rounds, which are not paired yet."""
    entrant = _active_entrant(league, entry)
    first = len(league.rounds) + (2 if league.draft else 1)
    if not rounds or any(not first <= number <= MAX_LEAGUE_ROUNDS for number in rounds):
        raise CommandRejected(f"{entrant.name} can be excused from round {first} on; say from which rounds")
    return organiser_facts.BotExcused(entry=entry, rounds=tuple(sorted(set(rounds))), **attribution_of(hand))


def disqualify_entry(league: LeagueState, entry: int, hand: LeagueActor) -> organiser_facts.BotDisqualified:
    """Return the event that disqualifies an entry: it is not paired any more and ranks below all others."""
    if (entrant := _active_entrant(league, entry)).disqualified:
        raise CommandRejected(f"{entrant.name} is disqualified already")
    return organiser_facts.BotDisqualified(entry=entry, **attribution_of(hand))


def forbid_meeting(league: LeagueState, one: int, other: int, hand: LeagueActor) -> organiser_facts.PairingForbidden:
    """Return the event that forbids two entries to meet in any round that begins from now on."""
    names = _active_entrant(league, one).name, _active_entrant(league, other).name
    if one == other or frozenset((one, other)) in league.forbidden:
        raise CommandRejected(f"{names[0]} and {names[1]} are {'one entry' if one == other else 'kept apart already'}")
    check_not_paired_ahead(league, one, other)
    return organiser_facts.PairingForbidden(one=min(one, other), other=max(one, other), **attribution_of(hand))


def invite_author(league: LeagueState, author: str, hand: LeagueActor) -> organiser_facts.AuthorInvited:
    """Return the event that invites an author to a league that only invited authors may enter."""
    check_open(league)
    if league.header.who != "invited":
        raise CommandRejected(f"anybody may enter {league.header.name}; nobody needs to be invited")
    if not author.strip() or author in league.invited:
        raise CommandRejected(
            f"{author} is invited already" if author.strip() else "say which author is invited, by name"
        )
    return organiser_facts.AuthorInvited(author=author, **attribution_of(hand))


def renew_version(
    league: LeagueState, entry: int, version: int, name: str, at: int
) -> organiser_facts.EntryVersionRenewed:
    """Return the event that changes an entry to a newer version of its bot, before its first round is paired."""
    entrant = _active_entrant(league, entry)
    if not entrant.newest or entrant.since != len(league.rounds) + 1:
        raise CommandRejected(f"{entrant.name} stays as it is: it did not ask to be renewed, or has been paired")
    if any(other.version == version for other in league.entrants):
        raise CommandRejected(f"{name} has entered already")
    return organiser_facts.EntryVersionRenewed(entry=entry, version=version, name=name, old=entrant.name, at=at)


def pause_league(league: LeagueState, hand: LeagueActor) -> organiser_facts.LeaguePaused:
    """Return the event that pauses the league: no round begins until it is resumed."""
    check_open(league)
    if league.paused:
        raise CommandRejected(f"{league.header.name} is paused already")
    return organiser_facts.LeaguePaused(**attribution_of(hand))


def resume_league(league: LeagueState, hand: LeagueActor) -> organiser_facts.LeagueResumed:
    """Return the event that ends a pause, so that rounds can begin again."""
    check_open(league)
    if not league.paused:
        raise CommandRejected(f"{league.header.name} is not paused")
    return organiser_facts.LeagueResumed(**attribution_of(hand))


def extend_stage(league: LeagueState, rounds: int, hand: LeagueActor) -> organiser_facts.LeagueExtended:
    """Return the event that sets the number of rounds of the current stage, at least those drafted or played."""
    check_open(league)
    if not league.begun:
        raise CommandRejected(f"{league.header.name} has not begun; announce it anew with {rounds} rounds")
    number = len(league.rounds) + 1
    played = number - league.stage_of(number).first + (league.draft is not None)
    if not max(1, played) <= rounds <= MAX_LEAGUE_ROUNDS:
        raise CommandRejected(
            f"the stage has {played} rounds already; it can have {max(1, played)} to {MAX_LEAGUE_ROUNDS}, not {rounds}"
        )
    return organiser_facts.LeagueExtended(rounds=rounds, **attribution_of(hand))


def release_replays(league: LeagueState, round_: int, hand: LeagueActor) -> organiser_facts.ReplaysReleased:
    """Return the event that makes the replays of a round (0: of all rounds) public; this cannot be undone."""
    check_open(league)
    if not 0 <= round_ <= len(league.rounds):
        raise CommandRejected(f"{league.header.name} has no round {round_} yet; 0 releases all, those to come too")
    if all(league.is_released(number) for number in ([round_] if round_ else range(1, len(league.rounds) + 2))):
        raise CommandRejected(
            f"the replays of {f'round {round_}' if round_ else league.header.name} are released already"
        )
    return organiser_facts.ReplaysReleased(round=round_, **attribution_of(hand))


def announce_message(league: LeagueState, text: str, hand: LeagueActor) -> organiser_facts.AnnouncementMade:
    """Return the event that publishes an organiser's message, reduced to one line."""
    check_open(league)
    line = " ".join(text.split())
    if not line or len(line) > MAX_ANNOUNCEMENT_CHARACTERS or not line.isprintable():
        raise CommandRejected(
            f"an announcement has 1 to {MAX_ANNOUNCEMENT_CHARACTERS} characters that can be shown, not {len(line)}"
        )
    return organiser_facts.AnnouncementMade(text=line, **attribution_of(hand, reason=False))


def overrule_result(
    league: LeagueState, key: MatchKey, places: Sequence[int], hand: LeagueActor
) -> organiser_facts.ResultOverruled:
    """Return the event that gives a match other places than those it ended with.

    Raises CommandRejected for impossible places, and once the league is closed.
    """
    result = _result(league, key)
    seats = len(result.seating)
    if len(places) != seats or min(places) != 1 or any(p != 1 + sum(q < p for q in places) for p in places):
        raise CommandRejected(f"places {list(places)} cannot be: {seats} seats share the places from 1, as 1, 2, 2, 4")
    if tuple(places) == result.places:
        raise CommandRejected(f"match {result.match} counts with these places already")
    return organiser_facts.ResultOverruled(
        round=key[0], table=key[1], game=key[2], match=result.match, places=tuple(places), **attribution_of(hand)
    )


def void_match(league: LeagueState, key: MatchKey, match: str, hand: LeagueActor) -> organiser_facts.MatchVoided:
    """Return the event that voids a match: the league removes its result, or stops waiting for it."""
    check_open(league)
    league.table_of(key)
    waited_for = league.closed_rounds < key[0] and key not in league.recorded
    if not waited_for and _result(league, key).match != match:
        raise CommandRejected(f"round {key[0]}, table {key[1]}, match {key[2] + 1} was not played as match {match}")
    return organiser_facts.MatchVoided(round=key[0], table=key[1], game=key[2], match=match, **attribution_of(hand))


def _result(league: LeagueState, key: MatchKey) -> ResultRecorded:
    check_open(league)
    result = counting_result(league.history.get(key, ()))
    if result is None:
        raise CommandRejected(f"round {key[0]}, table {key[1]}, match {key[2] + 1} has no result that counts")
    return result


def check_open(league: LeagueState) -> None:
    """Raise CommandRejected if the league is closed and can no longer be changed."""
    if league.closed:
        raise CommandRejected(f"{league.header.name} is closed and signed; nothing of it can be changed any more")


def _active_entrant(league: LeagueState, entry: int) -> LeagueEntry:
    check_open(league)
    if not 1 <= entry <= len(league.entrants):
        raise CommandRejected(f"{league.header.name} has entries 1 to {len(league.entrants)}, not {entry}")
    return league.entrant(entry)
