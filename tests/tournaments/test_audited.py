"""Leagues of every format that are played by the arena's own services verify, whatever organisers do to them."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from ftk_core.kit.house import house_bots
from ftk_core.kit.verify_league import Report, verify_export
from ftk_core.league.plans import Stage
from replays.models import Match
from replays.playing.giving_up import void_match
from replays.playing.leases import claim
from replays.playing.runner import play_match
from tests.support.factories import active_version
from tests.support.leagues import entrants
from tests.support.stages import stage
from tournaments import services, tasks
from tournaments.models import League
from tournaments.projections import load
from tournaments.terms import Terms

pytestmark = pytest.mark.django_db(transaction=True)
FORMATS: dict[str, tuple[Stage, ...]] = {
    "swiss": (stage("swiss", rounds=3),),
    "knockout": (stage("knockout"),),
    "gauntlet": (stage("gauntlet", groups=2),),
    "ladder": (stage("ladder", rounds=3),),
    "round robin": (stage("round_robin", seats=3, deals="fresh"),),
    "groups, then knockout": (stage("groups", groups=2), stage("knockout", qualify=2)),
}


def organise(verb: str, *words: object) -> None:
    call_command("organise", verb, "night", *map(str, words), "--why", "the hall was dark", stdout=StringIO())


def opened(stages: tuple[Stage, ...], count: int = 6, **terms: object) -> League:
    usual: dict[str, object] = {
        "slug": "night",
        "name": "Night",
        "game": "pig",
        "stages": stages,
        "tries": 1,
        "seats": 2,
        "rounds": 1,
    }
    league = services.open_league(Terms(**{**usual, **terms}))  # type: ignore[arg-type]  # terms have many types
    for version in entrants(count):
        services.enter_bot(league.pk, version, "ada", newest=True)
    return league


def give_up(match_id: str) -> None:
    """Give a match up as workers do that are lost with it."""
    lease = claim(match_id, "a worker")
    assert lease
    void_match(Match.objects.get(pk=match_id), lease, "two workers died playing it", 0)
    tasks.sweep()


def play_on(league: League, with_each: Callable[[int, str], None] = lambda _, __: None) -> None:
    """Play until the league is closed; first something may be done with each match, by the number of its turn."""
    turn = 0
    while True:
        league.refresh_from_db()
        if load(league)[1].draft:
            call_command("organise", "begin", "night", stdout=StringIO())
        match = Match.objects.filter(status=Match.Status.WAITING).order_by("created_at", "pk").first()
        if league.status == League.Status.CLOSED:
            return
        if match is None:  # the round ended with a match that is not waited for
            assert tasks.sweep(), league.waits
            continue
        with_each(turn, match.pk)
        turn += 1
        if play_match(match.pk):
            services.record_match(match.pk)


def report_on(folder: Path) -> Report:
    services.export_league("night", folder / "night.tar")
    return verify_export(folder / "night.tar")


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_a_league_of_any_format_verifies_with_matches_that_were_given_up(name: str, tmp_path: Path) -> None:
    league = opened(FORMATS[name], ruling="loss")
    services.start(league.pk)
    play_on(league, lambda turn, match: give_up(match) if turn % 3 == 0 else None)
    report = report_on(tmp_path)
    assert (report.flaws, report.notes) == ((), ())
    assert any(line.startswith("Matches played again") for line in report.acts)


LISTED = {
    "Entries withdrawn",
    "Entries brought back",
    "Entries disqualified",
    "Entries excused",
    "Meetings forbidden",
    "Matches played again",
    "Matches voided",
    "Results overruled",
    "Numbers of rounds changed",
    "Pauses",
    "Replays released early",
    "Entries that came late, or by others than their author",
}


@pytest.mark.slow
@pytest.mark.parametrize("held", [False, True])
def test_a_league_verifies_and_lists_what_its_organisers_did(tmp_path: Path, *, held: bool) -> None:
    league = opened(FORMATS["swiss"], 7, late=3, granted="mean", who="anybody", held=held, release="after_league")
    organise("withdraw", 7)
    organise("return", 7)
    services.start(league.pk)
    if held:
        organise("redraft")
        one, other = (table.seating[0] for table in load(league)[1].draft.tables[:2])  # type: ignore[union-attr]  # it is drafted
        organise("exchange", one, other)
    play_on(league, lambda turn, match: do_much(league, turn, match))
    report = report_on(tmp_path)
    assert (report.flaws, report.notes) == ((), ())
    listed = {line.split(":")[0] for line in report.acts if not line.startswith(" ")}
    assert listed >= LISTED
    assert (listed >= {"Rounds drafted again", "Drafts changed"}) is held


def do_much(league: League, turn: int, match: str) -> None:
    """Do what organisers can do to a league, by the number of matches that were played."""
    if turn == 1:
        organise("again", match)
    if turn == 4:
        organise("enter", active_version(house_bots("pig")["hold20"], slug="late").bot.slug)
        organise("forbid", 1, 2)
        organise("excuse", 3, 3)
        organise("release", 1)
        organise("pause")
        organise("resume")
    if turn == 6:
        organise("void", match)
        organise("disqualify", 6)
        organise("extend", 4)
    if turn == 7:
        ended = load(league)[1].results[0]
        organise("overrule", ended.match, *reversed(ended.places))
