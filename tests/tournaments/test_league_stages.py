"""A league's stages, rounds and conditions are told in words."""

from __future__ import annotations

from msgspec.structs import replace

from ftk_core.league import organising
from ftk_core.league.commands import proceed
from ftk_core.league.luck import next_link
from ftk_core.league.plans import Rest
from tests.support.stages import HAND, Run, opened, stage
from tournaments.league_stages import NAMED, list_stages, outline_round
from tournaments.league_words import tell_conditions, tell_more

TWO = (stage("swiss", seats=4, rounds=2, games=4, deals="fresh"), stage("knockout", qualify=4, carry="half"))


def stages_of(run: Run, rounds: int = 4) -> list[tuple[str, str, str]]:
    return [(row.format, row.status, row.rounds) for row in list_stages(run.league, rounds)]


def test_a_stage_tells_how_far_it_has_come() -> None:
    run = Run(*TWO, entries=8)
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


def test_a_stage_whose_rounds_were_changed_tells_the_new_number() -> None:
    run = Run(*TWO, entries=8)
    run.pair()
    run.happens(organising.extend(run.league, 5, HAND))
    assert stages_of(run, 7)[0] == ("Swiss", "running", "round 1 of 5")


def test_a_stage_that_knows_its_rounds_by_itself_tells_them() -> None:
    run = Run(stage("round_robin"), TWO[1], entries=6)
    run.pair()
    assert stages_of(run, 7)[0] == ("Round robin", "running", "round 1 of 5")


def test_a_stage_tells_who_qualified_in_the_order_of_their_seeds() -> None:
    run = Run(*TWO, entries=8)
    for _ in range(2):
        run.pair()
        run.play()
    run.pair()
    first, second = list_stages(run.league, 4)
    assert first.entries is None
    assert second.entries
    seeds = [run.league.entrant(one.entry).name for one in run.league.begun[1].entries]
    assert (second.entries.shown, second.entries.more) == (seeds, 0)


def test_the_terms_of_stages_are_told() -> None:
    first, second = list_stages(Run(*TWO, entries=8).league, 4)
    assert first.terms == [("Format", "Swiss"), ("Table", "4 seats"), ("Matches per table", "4, the seats turning")]
    assert first.more == [
        ("Seeds", "in the order of entering, or of the stage before"),
        ("Deals", "each match has a deal of its own"),
        ("A rest gives", "as much as a win"),
        ("An absence gives", "nothing"),
    ]
    assert second.more[:2] == [("Who plays it", "the first 4 of stage 1"), ("Points taken along", "half of them")]


def test_groups_and_challengers_are_told() -> None:
    run = Run(stage("groups", groups=2), stage("gauntlet", groups=3), entries=8)
    first, second = list_stages(run.league, 9)
    assert ("Groups", "2") in first.more
    assert second.more[:3] == [
        ("Who plays it", "all of stage 1"),
        ("Points taken along", "none; all begin with nothing"),
        ("Challengers", "the first 3"),
    ]


def test_conditions_are_told() -> None:
    header = opened(*TWO, tries=2, ruling="loss", late=3, granted="mean", per_author=2, held=True, pace_ms=500)
    assert tell_conditions(header) == [
        ("Clock", "1 s a move, 5 s in the bank; one choice every 0.5 s for those who watch"),
        ("Options", "as the rule book has it"),
    ]
    assert tell_more(header) == [
        (
            "Void matches",
            "played again 2 times, then lost by whoever caused it, and shared by all where nobody did",
        ),
        ("Who may enter", "anybody"),
        ("Late entries", "until round 3, for as many points as the others have on average"),
        ("Bots of an author", "2 at most, which may meet at a table"),
        ("Replays are everybody's", "at once, while they are played"),
        ("Rounds begin", "when the organiser has seen the draft"),
    ]
    plain = tell_more(opened(*TWO, tries=0))
    assert [told for _, told in plain] == [
        "played again when the organiser says so",
        "anybody",
        "none",
        "any number, which may meet at a table",
        "at once, while they are played",
        "by themselves",
    ]


def test_who_rests_is_told_with_the_reason_and_what_it_gives() -> None:
    run = Run(stage("swiss", rounds=3), entries=5)
    run.happens(organising.excuse(run.league, 5, [1], HAND))
    run.happens(organising.withdraw(run.league, 4, HAND))
    run.pair()
    row = outline_round(run.league, 1, "", 10)
    assert sorted((rest.why, rest.points) for rest in row.rests) == [
        ("asked to be left out", "0 points"),
        ("the numbers do not come out even", "1 point"),
    ]
    assert row.link == run.league.rounds[0].link != ""


def test_of_many_who_rest_some_are_named() -> None:
    run = Run(stage("swiss", rounds=3), entries=40)
    run.pair()
    paired = run.league.rounds[0]
    many = replace(paired, tables=(), rests=tuple(Rest(entry, "1", "odd") for entry in range(1, 41)))
    (rest,) = outline_round(replace(run.league, rounds=(many,)), 1, "", 10).rests
    assert len(rest.names.shown) == NAMED
    assert rest.names.more == 40 - NAMED


def test_a_draft_is_told_by_its_tables_some_at_a_time() -> None:
    run = Run(stage("swiss", rounds=3), entries=30, held=True)
    run.happens(*proceed(run.league, next_link(run.secret, run.league)).facts)
    assert run.league.draft
    first = outline_round(run.league, 1, "", 10)
    rest = outline_round(run.league, 1, first.after, 10)
    assert (first.drafted, first.after, rest.after) == (True, "10", "")
    assert [table.number for table in (*first.draft, *rest.draft)] == list(range(1, 16))
    seated = run.league.draft.tables[0].seating
    assert first.draft[0].names == [run.league.entrant(entry).name for entry in seated]
