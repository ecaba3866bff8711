"""Manipulations between the rounds of a league by an organiser with the server's key."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ftk_core.league import intervention_facts as acts, organiser_command_handlers as organising
from ftk_core.league.event_fields import EntrantBye, TableSeating
from ftk_core.league.league_command_handlers import proceed, record, redraft
from ftk_core.league.league_facts import BotEntered, LeagueFact, ResultRecorded, RoundPaired, StageBegun, StageEnded
from ftk_core.league.league_state import MatchKey
from ftk_core.league.match_result_command_handlers import overrule_result
from ftk_core.league.match_seating_and_random_seeds import derive_match_id
from ftk_core.league.statistics.round_seed_hash_chain import next_link
from tests.support.auditing.rigged import (
    SWISS,
    RiggedLeague,
    find_round,
    replace_round,
    rig_between_rounds,
    rig_within_round,
)
from tests.support.stages import ORGANISER, stage


def resting_for_a_win() -> RiggedLeague:
    """Give the first entry a bye with the points of a win in each round, as if its seed allowed it."""

    def trick(_: RiggedLeague, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if not any(isinstance(fact, RoundPaired) for fact in coming):
            return coming
        drawn = find_round(coming)
        others = [entry for table in drawn.tables for entry in table.seating if entry != 1]
        others += [rest.entry for rest in drawn.rests if rest.entry != 1]
        tables = tuple(TableSeating(at // 2 + 1, tuple(others[at : at + 2])) for at in range(0, len(others), 2))
        return replace_round(coming, replace(drawn, tables=tables, rests=(EntrantBye(1, "1", "seeded"),)))

    return RiggedLeague(stage("ladder", rounds=4), entries=13, trick=trick)


def friend_meets_the_weakest() -> RiggedLeague:
    """Seat a friend first in each round, against the entry with the fewest points."""

    def trick(run: RiggedLeague, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if not any(isinstance(fact, RoundPaired) for fact in coming):
            return coming
        drawn, weakest = find_round(coming), len(run.league.entrants)
        sitting = [entry for table in drawn.tables for entry in table.seating if entry not in (1, weakest)]
        order = [1, weakest, *sitting]
        tables = tuple(TableSeating(at // 2 + 1, tuple(order[at : at + 2])) for at in range(0, len(order), 2))
        return replace_round(coming, replace(drawn, tables=tables))

    return RiggedLeague(SWISS, trick=trick)


def late_entry_with_points() -> RiggedLeague:
    """Enter a bot late, with 40 points, in a league that allows no late entries."""

    def trick(run: RiggedLeague, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if len(run.league.rounds) != 2:
            return coming
        run.append(BotEntered(entry=9, version=999, name="friend", author="eve", round=3, points="40"))
        return proceed(run.league, run.link(), run.at).facts

    return RiggedLeague(SWISS, trick=trick)


def knockout_without_its_final() -> RiggedLeague:
    """End a knockout after the semi-finals."""

    def trick(run: RiggedLeague, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        return (StageEnded(1),) if len(run.league.rounds) == 2 else coming

    return RiggedLeague(stage("knockout"), trick=trick)


def round_robin_cut_short() -> RiggedLeague:
    """End a round robin after 2 of its 7 rounds."""

    def trick(run: RiggedLeague, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        return (StageEnded(1),) if len(run.league.rounds) == 2 else coming

    return RiggedLeague(stage("round_robin"), trick=trick)


def worst_of_the_groups_qualify() -> RiggedLeague:
    """Let the last of each group play the knockout."""

    def trick(run: RiggedLeague, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if not any(isinstance(fact, StageBegun) and fact.stage == 2 for fact in coming):
            return coming
        (ended, begun, *_) = coming
        assert isinstance(begun, StageBegun)
        chosen = {one.entry for one in begun.entries}
        left = [entry for entry in range(1, 9) if entry not in chosen]
        entries = tuple(replace(one, entry=entry) for one, entry in zip(begun.entries, left, strict=True))
        run.append(ended, replace(begun, entries=entries))
        return proceed(run.league, next_link(run.secret, run.league), run.at).facts

    return RiggedLeague(stage("groups", groups=2), stage("knockout", qualify=4), trick=trick)


def _first_loser(run: RiggedLeague) -> int:
    return next(one.seating[one.places.index(2)] for one in run.league.results if 2 in one.places)


def losses_overruled_by_nobody() -> RiggedLeague:
    """Turn the losses of an entry into wins, without a named organiser."""

    def done(run: RiggedLeague) -> None:
        friend = _first_loser(run)
        for result in run.league.results:
            if friend in result.seating and result.places[result.seating.index(friend)] == 2:
                places = tuple(1 if entry == friend else 2 for entry in result.seating)
                key = {"round": result.round, "table": result.table, "game": result.game}
                run.append(acts.ResultOverruled(match=result.match, places=places, **key))

    return rig_between_rounds(done)


def losses_overruled_by_a_friend() -> RiggedLeague:
    """Turn the losses of an entry into wins, in an organiser's name."""

    def done(run: RiggedLeague) -> None:
        friend = _first_loser(run)
        for result in run.league.results:
            if friend in result.seating and result.places[result.seating.index(friend)] == 2:
                places = tuple(1 if entry == friend else 2 for entry in result.seating)
                key: MatchKey = result.round, result.table, result.game
                run.append(overrule_result(run.league, key, places, ORGANISER))

    return rig_between_rounds(done)


def replayed_on_a_picked_deal() -> RiggedLeague:
    """Replay a match on the fifth deal of its table, which looks allowed by the terms."""

    def done(run: RiggedLeague, result: ResultRecorded) -> Sequence[LeagueFact]:
        key = {"round": result.round, "table": result.table, "game": result.game}
        new = derive_match_id(run.league, (result.round, result.table, result.game), 1)
        run.append(acts.MatchReplaced(old=result.match, new=new, deal=4, at=run.at, why="it was given up", **key))
        return record(run.league, replace(result, match=new))

    return rig_within_round(done)


def replayed_by_nobody_beyond_the_terms() -> RiggedLeague:
    """Replay a match on its deal until the result pleases, although the terms allow only one more attempt."""

    def done(run: RiggedLeague, result: ResultRecorded) -> Sequence[LeagueFact]:
        key = {"round": result.round, "table": result.table, "game": result.game}
        old = result.match
        for number in range(3):
            new = derive_match_id(run.league, (result.round, result.table, result.game), number + 1)
            run.append(acts.MatchReplaced(old=old, new=new, at=run.at, why="it was given up", **key))
            old = new
        return record(run.league, replace(result, match=old))

    return rig_within_round(done)


def ruled_without_a_try() -> RiggedLeague:
    """Count a match that was never given up as lost by a chosen entry."""

    def done(run: RiggedLeague, result: ResultRecorded) -> Sequence[LeagueFact]:
        return record(run.league, replace(result, places=(1, 2), scores=(0, 0), ruled="loss"))

    return rig_within_round(done, ruling="loss")


def shared_where_the_terms_say_loss_of_another() -> RiggedLeague:
    """Share the points of a match by a rule that names no seat: all lose but the friend."""

    def done(run: RiggedLeague, result: ResultRecorded) -> Sequence[LeagueFact]:
        key = {"round": result.round, "table": result.table, "game": result.game}
        new = derive_match_id(run.league, (result.round, result.table, result.game), 1)
        run.append(acts.MatchReplaced(old=result.match, new=new, at=run.at, why="it was given up", **key))
        return record(run.league, replace(result, match=new, places=(1, 2), scores=(0, 0), ruled="share"))

    return rig_within_round(done)


def round_begun_other_than_drafted() -> RiggedLeague:
    """Begin a round with other tables than drafted, without an act that says so."""
    run = RiggedLeague(SWISS, held=True)
    run.append(*proceed(run.league, run.link(), run.at).facts)
    begun = organising.begin_draft(run.league, run.hand().at)
    one, other, *tables = begun.tables
    swapped = (
        replace(one, seating=(one.seating[0], other.seating[1])),
        replace(other, seating=(other.seating[0], one.seating[1])),
    )
    run.append(replace(begun, tables=(*swapped, *tables)))
    run.play()
    return run


def drafted_until_it_pleases() -> RiggedLeague:
    """Draft the first round again until the friend meets the weakest entry."""
    run = RiggedLeague(SWISS, held=True)
    run.append(*proceed(run.league, run.link(), run.at).facts)
    while not any({1, 8} == set(table.seating) for table in run.league.draft.tables):  # type: ignore[union-attr]  # it is drafted
        run.append(*redraft(run.league, run.link(), run.hand()).facts)
    run.append(organising.begin_draft(run.league, run.hand().at))
    run.play()
    return run


def drafted_in_secret_until_it_pleases() -> RiggedLeague:
    """Draft the first round repeatedly but store only the last draft, as if it were the first."""
    run = drafted_until_it_pleases()
    drafts = [number for number, fact in enumerate(run.facts) if getattr(fact, "draft", None) is not None]
    last = drafts[-2]
    hidden = [fact for number, fact in enumerate(run.facts) if number not in drafts[: len(drafts) - 2]]
    hidden = [
        replace(fact, draft=0, **({"by": "", "at": 0, "why": "", "approved": ""} if fact is run.facts[last] else {}))  # type: ignore[call-arg,type-var]  # drafts and rounds have one
        if getattr(fact, "draft", None)
        else fact
        for fact in hidden
    ]
    return RiggedLeague.of(run, hidden)


def more_bots_than_an_author_may() -> RiggedLeague:
    """Let an author enter more bots than the league allows."""
    run = RiggedLeague(SWISS, entries=6, per_author=9)
    for entry in (7, 8, 9):
        run.append(BotEntered(entry=entry, version=900 + entry, name=f"friend{entry}", author="eve", by="eve"))
    run.facts[0] = replace(run.facts[0], per_author=2)  # type: ignore[call-arg]  # it is the opening
    return RiggedLeague.of(run, run.facts)


def excused_for_points() -> RiggedLeague:
    """Record both entries of the last table as excused, with points, although no act excused them."""

    def trick(run: RiggedLeague, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if not any(isinstance(fact, RoundPaired) for fact in coming):
            return coming
        drawn = find_round(coming)
        last = drawn.tables[-1]
        rests = tuple(EntrantBye(entry, "1", "absent") for entry in last.seating)
        return replace_round(coming, replace(drawn, tables=drawn.tables[:-1], rests=(*drawn.rests, *rests)))

    return RiggedLeague(stage("swiss", rounds=4, absence="win"), trick=trick)
