"""What was done to a league is told in sentences: who, when, why, and what it changed."""

from __future__ import annotations

from ftk_core.league import organising
from ftk_core.league.acts import MatchReplaced
from ftk_core.league.commands import proceed
from ftk_core.league.facts import ResultRecorded
from ftk_core.league.folding import fold
from ftk_core.league.luck import next_link
from tests.support.stages import HAND, Run, stage
from tournaments.deeds import tell
from tournaments.league_overviews import ActRow

WHO = {"by": HAND.by, "why": HAND.why}


def a_run(**terms: object) -> Run:
    """A league of four with one round behind it."""
    run = Run(stage("swiss", rounds=3), entries=4, **terms)
    run.pair()
    run.play()
    return run


def told(run: Run) -> list[ActRow]:
    return [tell(run.league, noted) for noted in run.league.noted]


def test_what_is_done_to_entries_is_told_by_their_names() -> None:
    run = a_run()
    run.happens(organising.withdraw(run.league, 1, HAND))
    run.happens(organising.bring_back(run.league, 1, HAND))
    run.happens(organising.excuse(run.league, 2, [2, 3], HAND))
    run.happens(organising.disqualify(run.league, 3, HAND))
    run.happens(organising.forbid(run.league, 4, 2, HAND))
    rows = told(run)
    assert [row.what for row in rows] == [
        "bot1 withdrew.",
        "bot1 came back.",
        "bot2 is left out of rounds 2, 3.",
        "bot3 was disqualified: it plays no more and stands behind all others.",
        "bot2 and bot4 are not to meet from now on.",
    ]
    assert {(row.by, row.why) for row in rows} == {(HAND.by, HAND.why)}
    assert {row.at and int(row.at.timestamp()) for row in rows} == {HAND.at}


def test_what_is_done_to_the_whole_league_is_told() -> None:
    run = a_run()
    for deed in (organising.pause, organising.resume):
        run.happens(deed(run.league, HAND))
    run.happens(organising.extend(run.league, 1, HAND))
    assert [row.what for row in told(run)] == [
        "The league was paused: no round begins.",
        "The league was resumed: rounds begin again.",
        "The stage that was being played has 1 round now.",
    ]


def test_each_act_is_told_with_how_it_was_before_and_how_it_is_now() -> None:
    run = a_run(release="after_league", late=3)
    run.enter()
    for deed in (organising.pause, organising.resume):
        run.happens(deed(run.league, HAND))
    for rounds in (5, 4):
        run.happens(organising.extend(run.league, rounds, HAND))
    run.happens(organising.release(run.league, 1, HAND))
    run.happens(organising.announce(run.league, "Tea at four", HAND))
    run.happens(organising.withdraw(run.league, 1, HAND))
    run.happens(organising.excuse(run.league, 2, [2, 3], HAND))
    run.happens(organising.forbid(run.league, 4, 2, HAND))
    assert [(row.before, row.after) for row in told(run)] == [
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


def test_an_overruled_result_is_told_with_what_it_was_and_what_it_is() -> None:
    run = a_run()
    result = run.league.results[0]
    one, other = (run.league.entrant(entry).name for entry in result.seating)
    key = result.round, result.table, result.game
    for places in ((1, 2), (2, 1), (1, 1)):
        if run.league.history[key][-1].places != places:  # type: ignore[union-attr]  # it is no void match
            run.happens(organising.overrule(run.league, key, places, HAND))
    run.happens(organising.void(run.league, key, result.match, HAND))
    *_, last, void = told(run)
    assert last.what == "Match 1 of table 1 in round 1 counts with other places than it was played to."
    assert (last.before, last.after) == (f"1. {other}, 2. {one}", ", ".join(f"1. {n}" for n in sorted((one, other))))
    assert (void.what, void.before, void.after) == (
        "Match 1 of table 1 in round 1 counts for nobody.",
        last.after,
        "no result",
    )
    assert {row.match for row in told(run)} == {result.match}


def test_a_draft_that_was_changed_by_hand_is_told() -> None:
    run = Run(stage("swiss", rounds=3), entries=4, held=True)
    run.happens(*proceed(run.league, next_link(run.secret, run.league)).facts)
    draft = run.league.draft
    assert draft
    one, other = draft.tables[0].seating[0], draft.tables[1].seating[0]
    run.happens(organising.exchange(run.league, one, other, HAND))
    row = told(run)[0]
    assert row.what == f"In the draft of round 1 bot{one} and bot{other} changed places."
    assert row.before == f"bot{one} at table 1, bot{other} at table 2"
    assert row.after == f"bot{other} at table 1, bot{one} at table 2"


def test_who_comes_late_is_told_with_what_they_were_given() -> None:
    run = a_run(late=3, granted="half")
    run.enter()
    run.pair()
    (row,) = told(run)
    assert row.what == "bot5 entered late, for round 2 and was given 0.5 points."


def test_a_match_that_is_played_again_and_one_that_is_ruled_upon_are_told() -> None:
    run = Run(stage("swiss", rounds=1), entries=2)
    run.pair()
    again = MatchReplaced(round=1, table=1, game=0, old="a", new="b", deal=1, **WHO)
    ruled = ResultRecorded(
        round=1, table=1, game=0, match="b", seating=(1, 2), places=(1, 2), scores=(0, 0), ruled="loss"
    )
    run.happens(again, ruled)
    first, second = told(run)
    assert first.what == "Match 1 of table 1 in round 1 was void and is played again on deal 2 of its table."
    assert first.match == second.match == "b"
    assert second.what.endswith("was void too often: by the league's terms whoever caused that lost it.")
    assert (second.by, second.after) == ("", "1. bot1, 2. bot2")


def test_what_is_noted_is_the_same_however_the_facts_come() -> None:
    run = a_run(late=3)
    run.enter()
    run.happens(organising.withdraw(run.league, 1, HAND))
    one_by_one = fold([])
    for fact in run.facts:
        one_by_one = fold([fact], one_by_one)
    assert one_by_one.noted == fold(run.facts).noted == run.league.noted
