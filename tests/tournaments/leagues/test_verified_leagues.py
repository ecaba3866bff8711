"""Exports of played leagues verify, in every format and after any acts of their organisers."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.kit.verify.league_export_verification import ExportVerificationReport, verify_export
from ftk_core.league.event_fields import StageSettings
from replays.models import Match
from replays.playing.match_leases import claim
from replays.playing.match_runner import play_match
from replays.playing.match_voiding_after_failures import void_match
from tests.support.factories import create_active_version
from tests.support.leagues import create_entrants
from tests.support.stages import stage
from tournaments import tasks
from tournaments.leagues import finished_league_export, services
from tournaments.leagues.league_event_projection import load
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)
FORMATS: dict[str, tuple[StageSettings, ...]] = {
    "swiss": (stage("swiss", rounds=3),),
    "knockout": (stage("knockout"),),
    "gauntlet": (stage("gauntlet", groups=2),),
    "ladder": (stage("ladder", rounds=3),),
    "round robin": (stage("round_robin", seats=3, deals="fresh"),),
    "groups, then knockout": (stage("groups", groups=2), stage("knockout", qualify=2)),
}


def organise(verb: str, *words: object) -> None:
    call_command("organise", verb, "night", *map(str, words), "--why", "the hall was dark", stdout=StringIO())


def opened(stages: tuple[StageSettings, ...], count: int = 6, **terms: object) -> League:
    usual: dict[str, object] = {
        "slug": "night",
        "name": "Night",
        "game": "pig",
        "stages": stages,
        "tries": 1,
        "seats": 2,
        "rounds": 1,
    }
    league = services.open_league(LeagueSettings(**{**usual, **terms}))  # type: ignore[arg-type]  # terms have many types
    for version in create_entrants(count):
        services.enter_bot(league.pk, version, "ada", newest=True)
    return league


def give_up(match_id: str) -> None:
    """Make a match void, as after the death of all its workers."""
    lease = claim(match_id, "a worker")
    assert lease
    void_match(Match.objects.get(pk=match_id), lease, "two workers died playing it", 0)
    tasks.sweep()


def play_on(league: League, with_each: Callable[[int, str], None] = lambda _, __: None) -> None:
    """Play until the league is closed; `with_each` is called with the number of played matches after each match."""
    turn = 0
    while True:
        league.refresh_from_db()
        if load(league)[1].draft:
            call_command("organise", "begin", "night", stdout=StringIO())
        match = Match.objects.filter(status=Match.Status.WAITING).order_by("created_at", "pk").first()
        if league.status == League.Status.CLOSED:
            return
        if match is None:  # the round ended with a match that nobody waits for
            assert tasks.sweep(), league.waits
            continue
        with_each(turn, match.pk)
        turn += 1
        if play_match(match.pk):
            services.record_match(match.pk)


def report_on(folder: Path) -> ExportVerificationReport:
    finished_league_export.export_league("night", folder / "night.tar")
    return verify_export(folder / "night.tar")


@pytest.mark.nightly
@pytest.mark.parametrize("name", FORMATS)
def test_the_export_of_a_league_with_void_matches_passes_verification_in_every_format(
    name: str, tmp_path: Path
) -> None:
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
    "Entries that came late, or by others than the owner of the bot",
}


@pytest.mark.nightly
@pytest.mark.parametrize("held", [False, True])
def test_the_verification_report_of_a_league_lists_the_actions_of_its_organisers(tmp_path: Path, *, held: bool) -> None:
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
    """Execute different acts of organisers, depending on the number of played matches."""
    if turn == 1:
        organise("again", match)
    if turn == 4:
        organise("enter", create_active_version(list_built_in_bots("pig")["hold20"], slug="late").bot.slug)
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
