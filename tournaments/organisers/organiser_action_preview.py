"""Preview of an organiser's action: the action is executed in a transaction that is rolled back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from msgspec import structs

from ftk_core.league.drafted_round_validation import flaw_of_draft
from ftk_core.league.intervention_facts import (
    DraftedRoundChanged,
    LeagueExtended,
    MatchReplaced,
    MatchVoided,
    ResultOverruled,
)
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_state import LeagueState, MatchKey, NotedFact
from ftk_core.league.standings import standings
from tournaments.league_player_kinds import is_rated_on_all_time_ladder
from tournaments.leagues.bulk_league_entry import BulkEntryLineResult
from tournaments.leagues.league_event_projection import load
from tournaments.models import ALL_TIME, League, Rating
from tournaments.organisers.organiser_action_definition import (
    OrganiserAction,
    OrganiserActionGroup,
    OrganiserActionRequest,
    entry_name,
)
from tournaments.organisers.organiser_actions import actions_by_verb
from tournaments.organisers.public_organiser_action_descriptions import describe_act
from tournaments.summaries.league_overviews import OrganiserActionSummary


@dataclass(frozen=True, slots=True)
class PreviewedChange:
    """Effect of an organiser's action, such as a new place or rating."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganiserActionPreview:
    """Effects that an organiser's action would have. They do not reveal pairings of future rounds."""

    described: list[OrganiserActionSummary]
    """Descriptions of the facts (events) that the act would add to the list of acts on the league's page."""
    places: list[PreviewedChange]
    """Changed places in the current standings."""
    tables: list[PreviewedChange]
    """Entries whose tables in the drafted round change."""
    ratings: list[PreviewedChange]
    """Changed Elo ratings on the all-time ladder or, if the league is not rated there, on the ladder of its season."""
    flaw: str
    """Reason why the drafted round could not begin after the act; empty if it could, or without a drafted round."""
    lines: list[BulkEntryLineResult]
    """Effect of each line of an act on a list; empty for other acts."""
    digest: str
    """Hash of the effects, by which a later request detects that they have changed since the preview.

    Changes of places and ratings are left out of the hash, because every new result changes them.
    """
    awaits_results: bool
    """True if the league has open matches. Results that arrive before the act is confirmed still count."""

    @property
    def changes(self) -> list[tuple[str, list[PreviewedChange]]]:
        """Pairs (title, changes) for places, tables and ratings; kinds without any change are left out."""
        titled = ((_("Place"), self.places), (_("Table"), self.tables), (_("Rating"), self.ratings))
        return [(title, changes) for title, changes in titled if changes]


class OutdatedActionPreviewError(Exception):
    """Raised if an organiser's action no longer has the effects in its preview."""

    # `effects` contains the new effects.

    def __init__(self, effects: OrganiserActionPreview) -> None:
        super().__init__("the effects of the act have changed")
        self.effects = effects


def preview(league: League, verb: str, arguments: Mapping[str, Any], actor: LeagueActor) -> OrganiserActionPreview:
    """Return the effects of an organiser's action, without storing them. Raise CommandRejected if it is impossible."""
    act, call = actions_by_verb()[verb], OrganiserActionRequest(league=league, arguments=arguments, actor=actor)
    with transaction.atomic():
        before, ratings = _measure(league)
        lines = act.preview_lines(before, call)
        if not lines or any(line.fact for line in lines):
            act.perform(call)
        effects = _compare(act, league, lines, before, ratings)
        transaction.set_rollback(True)
    return effects


def execute(act: OrganiserAction, call: OrganiserActionRequest, digest: str | None) -> None:
    """Execute an action. `digest` is the hash of its expected effects; None allows any effects.

    Raises CommandRejected if the action is impossible, or OutdatedActionPreviewError if it had other effects. In both
    cases the caller must roll back its transaction.
    """
    if digest is None:
        act.perform(call)
        return
    before, ratings = _measure(call.league)
    lines = act.preview_lines(before, call)
    if lines and not any(line.fact for line in lines):  # the action will be rejected, which shows one line only
        _check_digest(_compare(act, call.league, lines, before, ratings), digest)
    act.perform(call)
    _check_digest(_compare(act, call.league, lines, before, ratings), digest)


def _check_digest(effects: OrganiserActionPreview, digest: str) -> None:
    if effects.digest != digest:
        raise OutdatedActionPreviewError(effects)


def _compare(
    act: OrganiserAction, league: League, lines: list[BulkEntryLineResult], before: LeagueState, ratings: dict[str, str]
) -> OrganiserActionPreview:
    """Return the effects of an action that was executed in the current transaction.

    `before` and `ratings` are the state of the league and the ratings before the action.
    """
    after, ratings_after = _measure(league)
    facts = after.noted[len(before.noted) :]
    described = [_describe(after, fact) for fact in facts]
    tables = [change for fact in facts if isinstance(fact, DraftedRoundChanged) for change in _exchange(after, fact)]
    flaw, is_end = flaw_of_draft(after), act.voids_open_matches
    decided = [
        (row.what, row.before, row.after)
        for row, fact in zip(described, facts, strict=True)
        if not (is_end and isinstance(fact, MatchVoided))
    ]
    outcomes = [(line.bot, line.outcome, line.reason) for line in lines]
    return OrganiserActionPreview(
        described=described,
        places=_changes_of_entries(after, _places(before), _places(hide_new_draws(after, before))),
        tables=tables,
        ratings=_changes(ratings, ratings_after),
        flaw=flaw,
        lines=lines,
        digest=_hash(_list_corrections(before), _identify_subject(act, before, facts), decided, tables, flaw, outcomes),
        awaits_results=bool(before.open_matches),
    )


def hide_new_draws(after: LeagueState, before: LeagueState) -> LeagueState:
    """Return the state after an action, without the stages and rounds that the action began."""
    # The places in them can follow from the secret link by which they are drawn, for example the rungs of a ladder.
    stages, rounds = after.begun[: len(before.begun)], after.rounds[: len(before.rounds)]
    return structs.replace(after, begun=stages, rounds=rounds, draft=before.draft, drafts=before.drafts)


def _identify_subject(act: OrganiserAction, before: LeagueState, facts: Sequence[object]) -> object:
    """Return what an action changes if its effects do not tell: the draft, the stage or the round that is played."""
    if act.group is OrganiserActionGroup.DRAFT:
        return before.draft
    if any(isinstance(fact, LeagueExtended) for fact in facts):
        return len(before.begun)
    return before.playing if act.voids_open_matches else 0


def _hash(*effects: object) -> str:
    return sha256(repr(effects).encode()).hexdigest()[:16]


def _list_corrections(state: LeagueState) -> list[tuple[MatchKey, str]]:
    """Return (key of the match, event type) for each result that organisers voided or changed."""
    # The digest of a preview depends on this list, so that any correction makes a preview outdated.
    corrections = (fact for fact in state.noted if isinstance(fact, MatchVoided | ResultOverruled))
    return [((fact.round, fact.table, fact.game), type(fact).__name__) for fact in corrections]


def _describe(state: LeagueState, fact: NotedFact) -> OrganiserActionSummary:
    described = describe_act(state, fact)
    # the id of the new match is random and only known when the act is executed
    return replace(described, before="", after="", match="") if isinstance(fact, MatchReplaced) else described


def _changes(before: dict[str, str], after: dict[str, str]) -> list[PreviewedChange]:
    return [
        PreviewedChange(name, before.get(name, ""), after.get(name, ""))
        for name in sorted(before | after)
        if before.get(name) != after.get(name)
    ]


def _changes_of_entries(state: LeagueState, before: dict[int, str], after: dict[int, str]) -> list[PreviewedChange]:
    return [
        PreviewedChange(entry_name(state, entry), before.get(entry, ""), after.get(entry, ""))
        for entry in sorted(before | after)
        if before.get(entry) != after.get(entry)
    ]


def _places(state: LeagueState) -> dict[int, str]:
    return {row.entry: str(row.place) for row in standings(state)}


def _exchange(state: LeagueState, fact: DraftedRoundChanged) -> list[PreviewedChange]:
    """Return the effects if two entries swap their opponents in a round that has not begun."""
    one, other = (str(table) if table else _("bye") for table in fact.tables)
    return _changes_of_entries(state, {fact.one: one, fact.other: other}, {fact.one: other, fact.other: one})


def _measure(league: League) -> tuple[LeagueState, dict[str, str]]:
    """Return the state of a league, and the Elo ratings on its ladder as text, by bot slug."""
    state = load(league)[1]
    head = state.header
    season = ALL_TIME if is_rated_on_all_time_ladder(head.kinds, mixed=head.mixed) else head.season
    rows = Rating.objects.filter(game=league.game, season=season).values_list("bot__slug", "value")
    return state, {name: f"{value / 1000:.1f}" for name, value in rows}
