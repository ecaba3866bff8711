"""Stages, rounds and entry conditions of a league as text on pages."""

from __future__ import annotations

from msgspec.structs import replace

from ftk_core.league import league_correction_command_handlers, organiser_command_handlers
from ftk_core.league.event_fields import EntrantBye
from ftk_core.league.league_command_handlers import proceed
from ftk_core.league.statistics.round_seed_hash_chain import next_link
from tests.support.stages import ORGANISER, LeagueRun, build_opening_fact, stage
from tournaments.leagues.stage_and_round_descriptions import MAX_NAMED_BOTS, list_stages, outline_round
from tournaments.organisers.organiser_actions.league_or_stage_end import END_STAGE
from tournaments.summaries.league_terms import describe_common_terms, describe_further_terms

TWO = (stage("swiss", seats=4, rounds=2, games=4, deals="fresh"), stage("knockout", qualify=4, carry="half"))


def stages_of(run: LeagueRun, rounds: int = 4) -> list[tuple[str, str, str]]:
    return [(row.format, row.status, row.rounds) for row in list_stages(run.league, rounds)]


def test_the_league_page_shows_the_progress_of_the_current_stage() -> None:
    run = LeagueRun(*TWO, entries=8)
    assert stages_of(run) == [("Swiss", "to come", ""), ("Knockout", "to come", "")]
    run.pair()
    assert stages_of(run)[0] == ("Swiss", "running", "round 1 of 2")
    for _ in range(2):
        run.play()
        run.pair()
    assert stages_of(run) == [("Swiss", "ended", "2 rounds"), ("Knockout", "running", "round 1 of 2")]
    run.play()
    run.finish()
    assert stages_of(run)[1] == ("Knockout", "ended", "2 rounds")


def test_the_last_stage_can_be_ended_while_it_is_played_and_not_afterwards() -> None:
    run = LeagueRun(*TWO, entries=8)
    possible = [END_STAGE.is_possible(run.league)]
    while run.pair():
        possible.append(END_STAGE.is_possible(run.league))
        run.play()
    assert possible == [False, True, True, True, True]
    assert not END_STAGE.is_possible(run.league)


def test_the_league_page_shows_the_new_number_of_rounds_after_an_organiser_changed_it() -> None:
    run = LeagueRun(*TWO, entries=8)
    run.pair()
    run.append(league_correction_command_handlers.extend_stage(run.league, 5, ORGANISER))
    assert stages_of(run, 7)[0] == ("Swiss", "running", "round 1 of 5")


def test_the_league_page_shows_the_number_of_rounds_implied_by_the_format_of_a_stage() -> None:
    run = LeagueRun(stage("round_robin"), TWO[1], entries=6)
    run.pair()
    assert stages_of(run, 7)[0] == ("Round robin", "running", "round 1 of 5")


def test_the_league_page_states_as_many_rounds_for_a_group_stage_as_complete_round_robins_need() -> None:
    run = LeagueRun(stage("groups", groups=2, rounds=7), TWO[1], entries=8)
    run.pair()
    assert stages_of(run, 8)[0] == ("Groups", "running", "round 1 of 6")


def test_the_league_page_shows_a_stage_that_an_organiser_has_cut_short() -> None:
    run = LeagueRun(stage("swiss", rounds=5), TWO[1], entries=8)
    run.pair()
    run.append(league_correction_command_handlers.end_stage(run.league, ORGANISER))
    assert stages_of(run, 3)[0] == ("Swiss", "running", "round 1 of 1")


def test_the_league_page_lists_qualified_bots_of_a_stage_in_seed_order() -> None:
    run = LeagueRun(*TWO, entries=8)
    for _ in range(2):
        run.pair()
        run.play()
    run.pair()
    first, second = list_stages(run.league, 4)
    assert first.entries is None
    assert second.entries
    seeds = [run.league.entrant(one.entry).name for one in run.league.begun[1].entries]
    assert (second.entries.shown, second.entries.more) == (seeds, 0)


def test_the_league_page_shows_the_terms_of_every_stage() -> None:
    first, second = list_stages(LeagueRun(*TWO, entries=8).league, 4)
    assert first.terms == [("Format", "Swiss"), ("Table", "4 seats"), ("Matches per table", "4, the seats turning")]
    assert first.more == [
        ("Seeds", "in the order of entering, or of the stage before"),
        ("Deals", "each match has a deal of its own"),
        ("Points for a bye", "as much as a win"),
        ("Points for an absence", "nothing"),
    ]
    assert second.more[:2] == [("Who plays it", "the first 4 of stage 1"), ("Points taken along", "half of them")]


def test_the_league_page_shows_groups_and_challengers() -> None:
    run = LeagueRun(stage("groups", groups=2), stage("gauntlet", groups=3), entries=8)
    first, second = list_stages(run.league, 9)
    assert ("Groups", "2") in first.more
    assert second.more[:3] == [
        ("Who plays it", "all of stage 1"),
        ("Points taken along", "none; all begin with nothing"),
        ("Challengers", "the first 3"),
    ]


def test_the_league_page_shows_the_entry_conditions() -> None:
    header = build_opening_fact(
        *TWO, tries=2, ruling="loss", late=2, granted="mean", per_author=2, held=True, pace_ms=500
    )
    assert describe_common_terms(header) == [
        ("Clock", "1 s a move, 5 s in the bank; one choice every 0.5 s for those who watch"),
        ("Options", "as in the rule book"),
    ]
    assert describe_further_terms(header) == [
        (
            "Void matches",
            "played again 2 times, then lost by the bot at fault, or shared by all if none was",
        ),
        ("Who may enter", "anybody"),
        ("Late entries", "until round 2, for as many points as the others have on average"),
        ("Bots of an author", "2 at most, which may meet at a table"),
        ("Replays become public", "at once, while they are played"),
        ("Rounds begin", "when the organiser has seen the draft"),
    ]
    beyond_the_last_round = build_opening_fact(*TWO, late=3, granted="mean")
    assert dict(describe_further_terms(beyond_the_last_round))["Late entries"].startswith("until round 2,")
    plain = describe_further_terms(build_opening_fact(*TWO, tries=0))
    assert [told for _, told in plain] == [
        "played again when the organiser says so",
        "anybody",
        "none",
        "any number, which may meet at a table",
        "at once, while they are played",
        "by themselves",
    ]


def test_the_league_page_shows_a_bye_with_its_reason_and_points() -> None:
    run = LeagueRun(stage("swiss", rounds=3), entries=5)
    run.append(organiser_command_handlers.excuse_entry(run.league, 5, [1], ORGANISER))
    run.append(organiser_command_handlers.withdraw_from_league(run.league, 4, ORGANISER))
    run.pair()
    row = outline_round(run.league, 1, "", 10)
    assert sorted((rest.why, rest.points) for rest in row.rests) == [
        ("excused by an organiser", "0 points"),
        ("the number of entries does not fill all tables", "1 point"),
    ]
    assert row.link == run.league.rounds[0].link != ""


def test_the_league_page_truncates_a_long_list_of_byes() -> None:
    run = LeagueRun(stage("swiss", rounds=3), entries=40)
    run.pair()
    paired = run.league.rounds[0]
    many = replace(paired, tables=(), rests=tuple(EntrantBye(entry, "1", "odd") for entry in range(1, 41)))
    (rest,) = outline_round(replace(run.league, rounds=(many,)), 1, "", 10).rests
    assert len(rest.names.shown) == MAX_NAMED_BOTS
    assert rest.names.more == 40 - MAX_NAMED_BOTS


def test_the_league_page_shows_a_drafted_round_a_few_tables_at_a_time() -> None:
    run = LeagueRun(stage("swiss", rounds=3), entries=30, held=True)
    run.append(*proceed(run.league, next_link(run.secret, run.league)).facts)
    assert run.league.draft
    first = outline_round(run.league, 1, "", 10)
    rest = outline_round(run.league, 1, first.after, 10)
    assert (first.drafted, first.after, rest.after) == (True, "10", "")
    assert [table.number for table in (*first.draft, *rest.draft)] == list(range(1, 16))
    seated = run.league.draft.tables[0].seating
    assert first.draft[0].names == [run.league.entrant(entry).name for entry in seated]
