"""Public descriptions of acts on a league: actor, time, reason, and the states before and after."""

from __future__ import annotations

from ftk_core.league import (
    league_correction_command_handlers,
    match_result_command_handlers,
    organiser_command_handlers,
)
from ftk_core.league.intervention_facts import MatchReplaced
from ftk_core.league.league_command_handlers import proceed
from ftk_core.league.league_facts import ResultRecorded
from ftk_core.league.league_state_from_events import fold_facts
from ftk_core.league.statistics.round_seed_hash_chain import next_link
from tests.support.stages import ORGANISER, LeagueRun, stage
from tournaments.organisers.public_organiser_action_descriptions import describe_act
from tournaments.summaries.league_overviews import OrganiserActionSummary

WHO = {"by": ORGANISER.by, "why": ORGANISER.why}


def a_run(**terms: object) -> LeagueRun:
    """Return a league of four entries with one finished round."""
    run = LeagueRun(stage("swiss", rounds=3), entries=4, **terms)
    run.pair()
    run.play()
    return run


def describe_acts(run: LeagueRun) -> list[OrganiserActionSummary]:
    return [describe_act(run.league, noted) for noted in run.league.noted]


def test_organiser_actions_that_concern_entries_are_described_with_the_names_of_the_entries() -> None:
    run = a_run()
    run.append(organiser_command_handlers.withdraw_from_league(run.league, 1, ORGANISER))
    run.append(organiser_command_handlers.return_entry(run.league, 1, ORGANISER))
    run.append(organiser_command_handlers.excuse_entry(run.league, 2, [2, 3], ORGANISER))
    run.append(organiser_command_handlers.disqualify_entry(run.league, 3, ORGANISER))
    run.append(organiser_command_handlers.forbid_meeting(run.league, 4, 2, ORGANISER))
    rows = describe_acts(run)
    assert [row.what for row in rows] == [
        "bot1 withdrew.",
        "bot1 came back.",
        "bot2 is excused from rounds 2, 3.",
        "bot3 was disqualified: it plays no more and stands behind all others.",
        "bot2 and bot4 are not to meet from now on.",
    ]
    assert {(row.by, row.why) for row in rows} == {(ORGANISER.by, ORGANISER.why)}
    assert {row.at and int(row.at.timestamp()) for row in rows} == {ORGANISER.at}


def test_organiser_actions_on_the_whole_league_are_described_in_sentences() -> None:
    run = a_run()
    for deed in (organiser_command_handlers.pause_league, organiser_command_handlers.resume_league):
        run.append(deed(run.league, ORGANISER))
    run.append(league_correction_command_handlers.extend_stage(run.league, 1, ORGANISER))
    assert [row.what for row in describe_acts(run)] == [
        "The league was paused: no round begins.",
        "The league was resumed: rounds begin again.",
        "The stage that was being played has 1 round now.",
    ]


def test_each_organiser_action_is_described_with_the_state_before_and_after() -> None:
    run = a_run(release="after_league", late=3)
    run.enter()
    for deed in (organiser_command_handlers.pause_league, organiser_command_handlers.resume_league):
        run.append(deed(run.league, ORGANISER))
    for rounds in (5, 4):
        run.append(league_correction_command_handlers.extend_stage(run.league, rounds, ORGANISER))
    run.append(organiser_command_handlers.release_replays(run.league, 1, ORGANISER))
    run.append(organiser_command_handlers.announce_message(run.league, "Tea at four", ORGANISER))
    run.append(organiser_command_handlers.withdraw_from_league(run.league, 1, ORGANISER))
    run.append(organiser_command_handlers.excuse_entry(run.league, 2, [2, 3], ORGANISER))
    run.append(organiser_command_handlers.forbid_meeting(run.league, 4, 2, ORGANISER))
    assert [(row.before, row.after) for row in describe_acts(run)] == [
        ("was not entered", "plays from round 2 on"),
        ("rounds begin as due", "no round begins"),
        ("no round begins", "rounds begin as due"),
        ("3 rounds", "5 rounds"),
        ("5 rounds", "4 rounds"),
        ("everybody's once the league is over", "everybody's"),
        ("", ""),
        ("paired", "not paired any more"),
        ("paired in every round", "not paired in rounds 2, 3"),
        ("they could meet", "they are not paired together"),
    ]


def test_an_overruled_result_is_described_with_the_old_and_the_new_places() -> None:
    run = a_run()
    result = run.league.results[0]
    one, other = (run.league.entrant(entry).name for entry in result.seating)
    key = result.round, result.table, result.game
    for places in ((1, 2), (2, 1), (1, 1)):
        if run.league.history[key][-1].places != places:  # type: ignore[union-attr]  # it is no void match
            run.append(match_result_command_handlers.overrule_result(run.league, key, places, ORGANISER))
    run.append(match_result_command_handlers.void_match(run.league, key, result.match, ORGANISER))
    *_, last, void = describe_acts(run)
    assert last.what == "Match 1 of table 1 in round 1 counts with places that replace its result."
    assert (last.before, last.after) == (f"1. {other}, 2. {one}", ", ".join(f"1. {n}" for n in sorted((one, other))))
    assert (void.what, void.before, void.after) == (
        "Match 1 of table 1 in round 1 counts for nobody.",
        last.after,
        "no result",
    )
    assert {row.match for row in describe_acts(run)} == {result.match}


def test_an_exchange_of_two_entries_in_a_drafted_round_is_described_with_their_tables() -> None:
    run = LeagueRun(stage("swiss", rounds=3), entries=4, held=True)
    run.append(*proceed(run.league, next_link(run.secret, run.league)).facts)
    draft = run.league.draft
    assert draft
    one, other = draft.tables[0].seating[0], draft.tables[1].seating[0]
    run.append(organiser_command_handlers.exchange_entries(run.league, one, other, ORGANISER))
    row = describe_acts(run)[0]
    assert row.what == f"In the draft of round 1 bot{one} and bot{other} changed places."
    assert row.before == f"bot{one} at table 1, bot{other} at table 2"
    assert row.after == f"bot{other} at table 1, bot{one} at table 2"


def test_a_late_entry_is_described_with_its_granted_points() -> None:
    run = a_run(late=3, granted="half")
    run.enter()
    run.pair()
    (row,) = describe_acts(run)
    assert row.what == "bot5 entered late, for round 2, and was given 0.5 points."


def test_replaced_matches_and_automatic_decisions_are_described_in_sentences() -> None:
    run = LeagueRun(stage("swiss", rounds=1), entries=2)
    run.pair()
    again = MatchReplaced(round=1, table=1, game=0, old="a", new="b", deal=1, **WHO)
    ruled = ResultRecorded(
        round=1, table=1, game=0, match="b", seating=(1, 2), places=(1, 2), scores=(0, 0), ruled="loss"
    )
    run.append(again, ruled)
    first, second = describe_acts(run)
    assert first.what == "Match 1 of table 1 in round 1 was void and is played again on deal 2 of its table."
    assert first.match == second.match == "b"
    assert second.what.endswith("was void too often: by the league's terms the bot at fault lost it.")
    assert (second.by, second.after) == ("", "1. bot1, 2. bot2")


def test_the_public_list_of_actions_is_the_same_whether_events_are_read_singly_or_in_batches() -> None:
    run = a_run(late=3)
    run.enter()
    run.append(organiser_command_handlers.withdraw_from_league(run.league, 1, ORGANISER))
    one_by_one = fold_facts([])
    for fact in run.facts:
        one_by_one = fold_facts([fact], one_by_one)
    assert one_by_one.noted == fold_facts(run.facts).noted == run.league.noted
