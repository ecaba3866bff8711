"""Previews of organisers' acts: they store nothing, and what they show is what then happens."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ftk_core.league.league_state import CommandRejected
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league
from tests.support.leagues import create_entrants
from tournaments.leagues import services
from tournaments.leagues.league_projection import load, read_facts
from tournaments.models import ALL_TIME, Entrant, League, Rating, TableMatch
from tournaments.organisers.act_preview import ActPreview
from tournaments.organisers.act_requests import (
    PreviewOutdatedError,
    act_as_previewed,
    preview_act,
    propose_or_act,
)
from tournaments.organisers.acts import acts_by_verb
from tournaments.organisers.draft_board import lay_out_draft
from tournaments.reports.league_queries import list_standings

pytestmark = pytest.mark.django_db(transaction=True)


def held_league(bots: int = 6, **terms: Any) -> tuple[League, User]:
    """Return a league of olga whose rounds wait as drafts, with its first round played and its second one drafted."""
    olga: User = AuthorFactory.create(username="olga")
    league = open_league(by="olga", held=True, rounds=3, late=3, release="after_league", **terms)
    for version in create_entrants(bots):
        services.enter_bot(league.pk, version)
    propose_or_act(olga, league, "start", {})
    propose_or_act(olga, league, "begin", {})
    play_waiting()
    return league, olga


def play_waiting() -> None:
    for match in Match.objects.filter(status=Match.Status.WAITING).order_by("pk"):
        assert play_match(match.pk)
        services.record_match(match.pk)


def read_stored(league: League) -> tuple[Any, ...]:
    """Return all that an act could change."""
    league = League.objects.get(pk=league.pk)
    entrants = list(Entrant.objects.filter(league=league).order_by("number").values())
    tables = list(TableMatch.objects.filter(league=league).order_by("pk").values())
    return read_facts(league), entrants, tables, list(Rating.objects.order_by("pk").values()), Match.objects.count()


def read_shown(league: League) -> dict[str, dict[str, str]]:
    """Return places, tables of the draft and ratings by name, as pages show them."""
    draft = load(league)[1].draft
    board = lay_out_draft(load(league)[1])
    seated = {seat.name: str(table.number) for table in (board.tables if board else ()) for seat in table.seats}
    return {
        "places": {row.name: str(row.place) for row in list_standings(league.slug)},
        "tables": seated | ({seat.name: "rests" for seat in board.resting} if board and draft else {}),
        "ratings": {row.bot.slug: f"{row.value / 1000:.1f}" for row in Rating.objects.filter(season=ALL_TIME)},
    }


def changes(before: dict[str, str], after: dict[str, str]) -> dict[str, tuple[str, str]]:
    return {
        name: (before.get(name, ""), after.get(name, ""))
        for name in before | after
        if before.get(name) != after.get(name)
    }


def shown_changes(effects: ActPreview, kind: str) -> dict[str, tuple[str, str]]:
    return {change.name: (change.before, change.after) for change in getattr(effects, kind)}


def pick_arguments(league: League, verb: str, draw: Random) -> dict[str, Any]:
    """Return random arguments of an act, some of them impossible."""
    state = load(league)[1]
    entries = [entrant.entry for entrant in state.entrants]
    one, other = draw.sample(entries, 2)
    rows = list(TableMatch.objects.filter(league=league).order_by("pk"))
    matches = [row.match_id for row in rows] or ["none"]
    if verb == "exchange" and state.draft:
        one, other = (draw.choice(table.seating) for table in draw.sample(state.draft.tables, 2))
    choices: dict[str, Any] = {
        "entry": one, "one": one, "other": other, "match": draw.choice(matches), "author": "ada", "text": "Tea",
        "bot": "late", "places": draw.choice(([1, 2], [2, 1])), "round": draw.choice((0, 1)),
        "name": draw.choice(("Day", "Night")),
        "rounds": [draw.choice((2, 3))] if verb == "excuse" else draw.choice((2, 4)),
    }  # fmt: skip
    return {field.name: choices[field.name] for field in acts_by_verb()[verb].fields if field.name in choices}


LAST = ("end", "close", "cancel")
VERBS = [verb for verb, act in acts_by_verb().items() if act.group and verb not in LAST]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
def test_the_preview_of_every_act_stores_nothing_and_shows_what_then_happens(number: int) -> None:
    league, olga = held_league()
    create_own_version("late")
    draw, done = Random(number), set[str]()
    for verb in (*draw.sample(VERBS, len(VERBS)), *draw.sample(VERBS, len(VERBS)), *LAST):
        arguments, stored, before = pick_arguments(league, verb, draw), read_stored(league), read_shown(league)
        try:
            effects = preview_act(olga, league, verb, arguments)
        except CommandRejected as refusal:
            assert read_stored(league) == stored, verb
            with pytest.raises(CommandRejected, match=re.escape(str(refusal))):
                propose_or_act(olga, league, verb, arguments, "because")
            continue
        assert read_stored(league) == stored, verb
        assert act_as_previewed(olga, league, verb, arguments, "because", effects.digest) is None
        assert read_stored(league) != stored, verb
        after = read_shown(league)
        for kind in ("places", "ratings"):
            assert shown_changes(effects, kind) == changes(before[kind], after[kind]), (verb, kind)
        if verb == "exchange":
            assert shown_changes(effects, "tables") == changes(before["tables"], after["tables"])
        else:
            assert effects.tables == []
        done.add(verb)
        if verb == "begin":
            play_waiting()
    assert len(done) > len(VERBS) // 2
    assert load(league)[1].closed


def test_an_act_whose_effects_changed_since_they_were_shown_is_not_done() -> None:
    league, olga = held_league(4)
    first = TableMatch.objects.filter(league=league, round=1).earliest("pk").match_id
    shown = preview_act(olga, league, "void", {"match": first})
    other = TableMatch.objects.filter(league=league, round=1).latest("pk").match_id
    propose_or_act(olga, league, "void", {"match": other}, "it was too loud")
    stored = read_stored(league)
    with pytest.raises(PreviewOutdatedError) as outdated:
        act_as_previewed(olga, league, "void", {"match": first}, "because", shown.digest)
    assert read_stored(league) == stored
    assert outdated.value.effects.digest != shown.digest


def test_the_draft_board_marks_each_conflict_of_a_table() -> None:
    league, olga = held_league(4)
    state = load(league)[1]
    assert state.draft
    one, other = state.draft.tables[0].seating
    names = [state.entrant(entry).name for entry in (one, other)]
    propose_or_act(olga, league, "forbid", {"one": one, "other": other}, "they share an idea")
    board = lay_out_draft(load(league)[1])
    assert board
    first = board.tables[0]
    assert sorted(seat.name for seat in first.seats) == sorted(names)
    assert any("must not meet" in conflict for conflict in first.conflicts)
    met = {frozenset(table.seating) for table in state.rounds[0].tables}
    for table in board.tables:
        pair = frozenset(seat.entry for seat in table.seats)
        assert any("have met" in conflict for conflict in table.conflicts) == (pair in met)


def test_the_console_shows_effects_first_and_then_does_the_act() -> None:
    league, olga = held_league(4)
    client = Client()
    client.force_login(olga)
    state = load(league)[1]
    assert state.draft
    one, other = (state.entrant(table.seating[0]).name for table in state.draft.tables[:2])
    page = client.get("/leagues/night/desk/", {"act": "exchange", "one": one, "other": other}).content.decode()
    assert "What will change" in page
    assert f'data-draft-entry="{one}" aria-current="true"' in page
    assert "change places" not in Client().get("/leagues/night/acts/").content.decode()
    match = TableMatch.objects.filter(league=league, round=1).earliest("pk").match_id
    room = client.get("/leagues/night/desk/").content.decode()
    for verb in ("void", "overrule"):
        assert f"?act={verb}&amp;match={match}#act" in room


def test_the_api_returns_the_effects_of_an_act_without_doing_it() -> None:
    league, olga = held_league(4)
    client, stored = Client(), read_stored(league)
    client.force_login(olga)
    match = TableMatch.objects.filter(league=league, round=1).earliest("pk").match_id
    address, body = "/api/v1/leagues/night/acts/void/", {"match": match, "why": "because", "preview": True}
    answer = client.post(address, body, content_type="application/json")
    effects = preview_act(olga, league, "void", {"match": match})
    assert (answer.status_code, read_stored(league)) == (200, stored)
    told = answer.json()
    assert told["facts"] == [fact.what for fact in effects.described] != []
    for kind in ("places", "tables", "ratings"):
        assert [(row["name"], row["before"], row["after"]) for row in told[kind]] == [
            (change.name, change.before, change.after) for change in getattr(effects, kind)
        ]
    assert told["flaw"] == effects.flaw == "a result was corrected since it was drafted"
    assert client.post(address, body | {"match": "none"}, content_type="application/json").status_code == 409
