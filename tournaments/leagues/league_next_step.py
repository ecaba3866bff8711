"""Next step of a league: pair the next round, begin the next stage, or close the league."""
# Computing a step can be slow, so it is done without a lock. If the stream has grown before the step is appended, the
# step is computed again.

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from msgspec.structs import replace

from bots.versions.queries import find_newest
from ftk_core.league.entry_and_qualification_rules import check_entry_open, has_final_draft, is_newer_version
from ftk_core.league.intervention_facts import EntrantBotVersionUpdated
from ftk_core.league.league_command_handlers import (
    RoundTransitionEvents,
    can_pair_ahead,
    draw_ahead,
    planned_rounds,
    proceed,
)
from ftk_core.league.league_facts import LeagueClosed, RoundPaired
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.league_state_from_events import fold_facts
from ftk_core.league.organiser_command_handlers import begin_draft, renew_version
from ftk_core.league.statistics.round_seed_hash_chain import next_link
from replays.event_stream_storage import EventAppender
from replays.reviews.review_requests import request_for_all
from tournaments.leagues.league_event_appending import append, lock_league, now, sign_closed_parts
from tournaments.leagues.league_event_projection import load
from tournaments.leagues.league_settings_validation import check_ladder_room
from tournaments.leagues.stage_seeding import read_ratings
from tournaments.models import League

MAX_UNLOCKED_DRAFTS = 3
"""Number of attempts to compute the next step without a lock, before it is computed with the league's row locked."""


def proceed_if(due: Callable[[LeagueState], bool], league_id: int) -> bool:
    """Take a league's next step if the function `due` returns True for its state.

    Return True if the step was taken. Raises CommandRejected if the step is impossible.
    """
    # The step is computed without a lock, and discarded if the league has changed meanwhile. After
    # `MAX_UNLOCKED_DRAFTS` discarded steps, the league's row is locked during the computation.
    for _ in range(MAX_UNLOCKED_DRAFTS):
        league = League.objects.get(pk=league_id)
        stream, state = load(league)
        if not due(state):
            return False
        if _append_draft(due, league_id, _draft_next_step(league, state), stream.head):
            return True
    return _append_draft(due, league_id)


@transaction.atomic
def _append_draft(
    due: Callable[[LeagueState], bool], league_id: int, draft: RoundTransitionEvents | None = None, head: bytes = b""
) -> bool:
    """Append the events of a league's next step; return False if the step is not due or `draft` is outdated.

    `draft` has the events if they are computed already. It is outdated if `head` is not the stream's last hash.
    """
    league = lock_league(league_id)
    stream, state = load(league)
    if not due(state) or (draft and stream.head != head):
        return False
    append_next(league, stream, state, draft or _draft_next_step(league, state))
    return True


def append_next(league: League, stream: EventAppender, state: LeagueState, step: RoundTransitionEvents) -> None:
    """Append the events of the next step to a locked league.

    If this was the last step, close and sign the league, and request analyses of the last round's matches.
    """
    state = append(league, stream, state, step.facts)
    if step.over:
        state = append(league, stream, state, [LeagueClosed(bytes(league.secret).hex())])
        sign_closed_parts(league, stream, state)
        last_tables = league.tables.filter(round=state.closed_rounds)
        request_for_all(last_tables.values_list("match_id", flat=True))


@transaction.atomic
def pair_ahead(league_id: int) -> bool:
    """Pair the next round while the current round is being played; return True if this was done."""
    # This is possible in formats whose pairing does not depend on results.
    if not can_pair_ahead(load(League.objects.get(pk=league_id))[1]):
        return False
    league = lock_league(league_id)
    stream, state = load(league)
    try:
        facts = draw_ahead(state, next_link(bytes(league.secret), state), now())
    except CommandRejected:  # the hash chain has no element left; the error is reported when that round is due
        return False
    append(league, stream, state, facts)
    return bool(facts)


def _draft_next_step(league: League, state: LeagueState) -> RoundTransitionEvents:
    state.check_rules()
    at = now()
    renewed = _list_renewals(state, at)
    link, ratings = next_link(bytes(league.secret), state), read_ratings(league, state)
    step = proceed(fold_facts(renewed, state), link, at, ratings=ratings)
    facts = (*renewed, *step.facts)
    if not state.rounds:  # before the entries, nobody knows the length of a round robin
        after = fold_facts(facts, state)
        check_ladder_room(planned_rounds(after), after.stages)
    return replace(step, facts=facts)


def _list_renewals(state: LeagueState, at: int) -> tuple[EntrantBotVersionUpdated, ...]:
    """Return the events that switch league entries to the newest versions of their bots."""
    # An entry switches if its author chose this at entry, and only until the entry is paired for the first time.
    next_round = len(state.rounds) + 1
    waiting = [e for e in state.entrants if e.newest and e.since == next_round and not e.withdrawn]
    newest, facts = find_newest([e.version for e in waiting], state.header.languages), list[EntrantBotVersionUpdated]()
    for entrant in waiting:
        version = newest.get(entrant.version)
        # An entry keeps its version if another entry of the bot plays the newest one, and if the author has activated
        # an older version again.
        if (
            version
            and is_newer_version(version.label, entrant.name)
            and all(version.pk != other.version for other in state.entrants)
        ):
            facts.append(renew_version(state, entrant.entry, version.pk, version.label, at))
            state = fold_facts(facts[-1:], state)
    return tuple(facts)


def _can_be_paired(league: League, state: LeagueState) -> bool:
    """Return True if the league's next step, such as pairing a round, is possible now."""
    try:
        _draft_next_step(league, state)
    except CommandRejected:
        return False
    return True


def check_entry_period(league: League, state: LeagueState) -> None:
    """Raise CommandRejected if no bot can enter the league any more."""
    check_entry_open(state, strictly=True)
    if state.rounds:
        return
    has_deadline_passed = league.entries_until and league.entries_until <= timezone.now()
    if has_deadline_passed and (has_final_draft(state) or _can_be_paired(league, state)):
        raise CommandRejected(
            gettext("entries to %(league)s are closed; it is about to begin") % {"league": league.name}
        )


def begin_drafted_round(state: LeagueState) -> RoundPaired:
    """Return the event that begins a league's drafted (already paired) round.

    Raises CommandRejected if no valid drafted round exists, or if the league is paused.
    """
    return begin_draft(state, now(), strictly=True)
