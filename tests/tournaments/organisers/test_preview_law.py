"""Law: the preview of every act stores nothing and predicts all effects exactly, in leagues of every format."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User

from ftk_core.league.drafted_round_validation import flaw_of_draft
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.formats import list_formats
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.standings import standings
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league
from tests.support.leagues import create_entrants, end_matches, read_stored
from tests.support.lengths import short_or_long
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import load
from tournaments.models import ALL_TIME, League, LeagueMatch, Rating
from tournaments.organisers.drafted_round import build_draft_board
from tournaments.organisers.organiser_action_preview import OrganiserActionPreview, hide_new_draws
from tournaments.organisers.organiser_action_submission import preview_act, propose_or_act
from tournaments.organisers.organiser_actions import actions_by_verb
from tournaments.organisers.public_organiser_action_descriptions import describe_act
from tournaments.reports.league_page_queries import list_standings

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSnapshot:
    """Content of a league's pages: places, tables of the draft and ratings by name, acts, and the draft's flaw."""

    state: LeagueState
    places: dict[str, str]
    tables: dict[str, str]
    ratings: dict[str, str]
    acts: list[str]
    flaw: str


def take_snapshot(league: League) -> LeagueSnapshot:
    """Read the content of a league's pages from the database."""
    state = load(league)[1]
    board = build_draft_board(state)
    seated = {seat.name: str(table.number) for table in (board.tables if board else ()) for seat in table.seats}
    return LeagueSnapshot(
        state=state,
        places={row.name: str(row.place) for row in list_standings(league.slug)},
        tables=seated | {seat.name: "bye" for seat in (board.resting if board else ())},
        ratings={row.bot.slug: f"{row.value / 1000:.1f}" for row in Rating.objects.filter(season=ALL_TIME)},
        acts=[describe_act(state, fact).what for fact in state.noted],
        flaw=flaw_of_draft(state),
    )


def changes(before: dict[str, str], after: dict[str, str]) -> dict[str, tuple[str, str]]:
    return {
        name: (before.get(name, ""), after.get(name, ""))
        for name in before | after
        if before.get(name) != after.get(name)
    }


def shown_changes(effects: OrganiserActionPreview, kind: str) -> dict[str, tuple[str, str]]:
    return {change.name: (change.before, change.after) for change in getattr(effects, kind)}


def pick_arguments(league: League, verb: str, draw: Random) -> dict[str, Any]:
    """Return random arguments of an act, some of them impossible."""
    state = load(league)[1]
    entries = [entrant.entry for entrant in state.entrants]
    one, other = draw.sample(entries, 2)
    rows = list(LeagueMatch.objects.filter(league=league).order_by("pk"))
    matches = [row.match_id for row in rows] or ["none"]
    if verb == "exchange" and state.draft:
        one, other = draw.sample([entry for table in state.draft.tables for entry in table.seating], 2)
    choices: dict[str, Any] = {
        "entry": one, "one": one, "other": other, "match": draw.choice(matches), "author": "ada", "text": "Tea",
        "bot": "late", "places": draw.choice(([1, 2], [2, 1], [2, 1, 3])), "round": draw.choice((0, 1)),
        "name": draw.choice(("Day", "Night")),
        "rounds": [draw.choice((2, 3))] if verb == "excuse" else draw.choice((2, 4)),
    }  # fmt: skip
    return {field.name: choices[field.name] for field in actions_by_verb()[verb].fields if field.name in choices}


LAST = ("end", "close", "cancel")
VERBS = [verb for verb, act in actions_by_verb().items() if act.group and verb not in LAST]
FORMATS = sorted(list_formats())
ACTS = short_or_long(4, 2 * len(VERBS))


def deal_verbs(number: int, draw: Random) -> list[str]:
    """Return the acts to try in one league; the short form tries each act in at least one of the leagues."""
    if len(VERBS) < ACTS:
        return draw.choices(VERBS, k=ACTS)
    first = number * ACTS % len(VERBS)
    return (Random(3).sample(VERBS, len(VERBS)) * 2)[first : first + ACTS]  # this order allows 14 kinds of acts


def drawn_league(number: int) -> tuple[League, User]:
    """Return a league of olga with six entries and drawn terms, begun or not; the number gives its first format."""
    draw = Random(number)
    olga: User = AuthorFactory.create(username="olga")
    forms = [FORMATS[number % len(FORMATS)], *draw.choice(([], draw.sample(FORMATS, 1)))]
    stages = tuple(
        StageSettings(
            format=form,
            seats=2 if form == "knockout" else draw.choice((2, 2, 3)),
            rounds=draw.choice((2, 3)) * list_formats()[form].counted,
            games=draw.choice((1, 2)),
            scored=draw.choice(("matches", "blocks")),
            groups=draw.choice((1, 2)) if list_formats()[form].groups_title else 1,
            qualify=4 if at else 0,
        )
        for at, form in enumerate(forms)
    )
    held, release = draw.choice((True, False)), draw.choice(("at_once", "after_round", "after_league"))
    league = open_league(by="olga", stages=stages, held=held, late=draw.choice((0, 3)), release=release)
    for version in create_entrants(6):
        services.enter_bot(league.pk, version)
    if draw.random() < 0.8:
        propose_or_act(olga, league, "start", {})
    return league, olga


@pytest.mark.parametrize("number", range(short_or_long(1, 10) * len(FORMATS)))
def test_the_preview_of_every_organiser_action_predicts_its_effects_in_every_format_and_stores_nothing(
    number: int,
) -> None:
    (league, olga), draw = drawn_league(number), Random(number)
    create_own_version("late")
    verbs = (verb for verb in (*deal_verbs(number, draw), *LAST) if not load(league)[1].closed)
    done = [check_act(olga, league, verb, draw) for verb in verbs]
    assert any(done)
    assert load(league)[1].closed


def check_act(olga: User, league: League, verb: str, draw: Random) -> bool:
    """Play some matches, then do a drawn act, and check that its preview showed its effects or its refusal.

    Return True if the act was done.
    """
    if draw.random() < 0.5:
        end_matches(league, draw, share=0.5)
    arguments, stored, before = pick_arguments(league, verb, draw), read_stored(league), take_snapshot(league)
    try:
        effects = preview_act(olga, league, verb, arguments)
    except CommandRejected as refusal:
        assert read_stored(league) == stored, verb
        with pytest.raises(CommandRejected, match=re.escape(str(refusal))):
            propose_or_act(olga, league, verb, arguments, "because")
        assert read_stored(league) == stored, verb
        return False
    assert read_stored(league) == stored, verb
    assert propose_or_act(olga, league, verb, arguments, "because", effects.digest) is None
    assert read_stored(league) != stored, verb
    check_effects(effects, before, take_snapshot(league))
    return True


def places_without_draw(before: LeagueSnapshot, after: LeagueSnapshot) -> dict[str, str]:
    """Return the places after an act; if it has drawn a stage or a round by the secret, those without the new draw."""
    is_drawn = after.state.begun[len(before.state.begun) :] or after.state.rounds[len(before.state.rounds) :]
    if not is_drawn:
        return after.places
    rows = standings(hide_new_draws(after.state, before.state))
    return {after.state.entrants[row.entry - 1].name: str(row.place) for row in rows}


def check_effects(effects: OrganiserActionPreview, before: LeagueSnapshot, after: LeagueSnapshot) -> None:
    """Check that a preview shows exactly the differences between the pages before and after the act."""
    assert [fact.what for fact in effects.described] == after.acts[len(before.acts) :]
    assert effects.flaw == after.flaw
    assert shown_changes(effects, "places") == changes(before.places, places_without_draw(before, after)), after.acts
    assert shown_changes(effects, "ratings") == changes(before.ratings, after.ratings), after.acts
    is_exchange = len(after.acts) > len(before.acts) and "changed places" in after.acts[-1]
    assert shown_changes(effects, "tables") == (changes(before.tables, after.tables) if is_exchange else {})
