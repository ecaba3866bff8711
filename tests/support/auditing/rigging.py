"""Riggings between the rounds of a league by an organiser with the server's key."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ftk_core.league import acts, organising
from ftk_core.league.commands import proceed, record, redraft
from ftk_core.league.facts import (
    BotEntered,
    LeagueFact,
    ResultRecorded,
    RoundPaired,
    StageBegun,
    StageEnded,
)
from ftk_core.league.luck import next_link
from ftk_core.league.plans import Rest, TablePlan
from ftk_core.league.state import Key
from tests.support.auditing.rigged import SWISS, Rigged, between, in_round, round_in, with_round
from tests.support.stages import HAND, stage


def resting_for_a_win() -> Rigged:
    """Let the first entry rest each round for the points of a win, as if its seed spared it."""

    def trick(_: Rigged, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if not any(isinstance(fact, RoundPaired) for fact in coming):
            return coming
        drawn = round_in(coming)
        others = [entry for table in drawn.tables for entry in table.seating if entry != 1]
        others += [rest.entry for rest in drawn.rests if rest.entry != 1]
        tables = tuple(TablePlan(at // 2 + 1, tuple(others[at : at + 2])) for at in range(0, len(others), 2))
        return with_round(coming, replace(drawn, tables=tables, rests=(Rest(1, "1", "seeded"),)))

    return Rigged(stage("ladder", rounds=4), entries=13, trick=trick)


def friend_meets_the_weakest() -> Rigged:
    """Seat a friend first, against whoever has the fewest points, in each round."""

    def trick(run: Rigged, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if not any(isinstance(fact, RoundPaired) for fact in coming):
            return coming
        drawn, weakest = round_in(coming), len(run.league.entrants)
        sitting = [entry for table in drawn.tables for entry in table.seating if entry not in (1, weakest)]
        order = [1, weakest, *sitting]
        tables = tuple(TablePlan(at // 2 + 1, tuple(order[at : at + 2])) for at in range(0, len(order), 2))
        return with_round(coming, replace(drawn, tables=tables))

    return Rigged(SWISS, trick=trick)


def late_entry_with_points() -> Rigged:
    """Let a bot enter a league that takes nobody late, with 40 points."""

    def trick(run: Rigged, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if len(run.league.rounds) != 2:
            return coming
        run.happens(BotEntered(entry=9, version=999, name="friend", author="eve", round=3, points="40"))
        return proceed(run.league, run.link(), run.at).facts

    return Rigged(SWISS, trick=trick)


def knockout_without_its_final() -> Rigged:
    """End a knockout after the semi-finals."""

    def trick(run: Rigged, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        return (StageEnded(1),) if len(run.league.rounds) == 2 else coming

    return Rigged(stage("knockout"), trick=trick)


def round_robin_cut_short() -> Rigged:
    """End a round robin after 2 of its 7 rounds."""

    def trick(run: Rigged, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        return (StageEnded(1),) if len(run.league.rounds) == 2 else coming

    return Rigged(stage("round_robin"), trick=trick)


def worst_of_the_groups_qualify() -> Rigged:
    """Let the last of the groups play the knockout."""

    def trick(run: Rigged, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if not any(isinstance(fact, StageBegun) and fact.stage == 2 for fact in coming):
            return coming
        (ended, begun, *_) = coming
        assert isinstance(begun, StageBegun)
        chosen = {one.entry for one in begun.entries}
        left = [entry for entry in range(1, 9) if entry not in chosen]
        entries = tuple(replace(one, entry=entry) for one, entry in zip(begun.entries, left, strict=True))
        run.happens(ended, replace(begun, entries=entries))
        return proceed(run.league, next_link(run.secret, run.league), run.at).facts

    return Rigged(stage("groups", groups=2), stage("knockout", qualify=4), trick=trick)


def losses_overruled_by_nobody() -> Rigged:
    """Turn the losses of the last entry into wins, in nobody's name."""

    def done(run: Rigged) -> None:
        for result in run.league.results:
            if 8 in result.seating:
                places = tuple(1 if entry == 8 else 2 for entry in result.seating)
                key = {"round": result.round, "table": result.table, "game": result.game}
                run.happens(acts.ResultOverruled(match=result.match, places=places, **key))

    return between(done)


def losses_overruled_by_a_friend() -> Rigged:
    """Turn the losses of the last entry into wins, in an organiser's name."""

    def done(run: Rigged) -> None:
        for result in run.league.results:
            if 8 in result.seating and result.places[result.seating.index(8)] == 2:
                places = tuple(1 if entry == 8 else 2 for entry in result.seating)
                key: Key = result.round, result.table, result.game
                run.happens(organising.overrule(run.league, key, places, HAND))

    return between(done)


def replayed_on_a_picked_deal() -> Rigged:
    """Play a match again on the fifth deal of its table, by the league's own terms as it seems."""

    def done(run: Rigged, result: ResultRecorded) -> Sequence[LeagueFact]:
        key = {"round": result.round, "table": result.table, "game": result.game}
        run.happens(acts.MatchReplaced(old=result.match, new="again", deal=4, at=run.at, why="it was given up", **key))
        return record(run.league, replace(result, match="again"))

    return in_round(done)


def replayed_by_nobody_beyond_the_terms() -> Rigged:
    """Play a match again and again on its deal, until the result pleases, where the terms allow one more try."""

    def done(run: Rigged, result: ResultRecorded) -> Sequence[LeagueFact]:
        key = {"round": result.round, "table": result.table, "game": result.game}
        for number in range(3):
            old = f"again {number - 1}" if number else result.match
            run.happens(
                acts.MatchReplaced(old=old, new=f"again {number}", at=run.at, why="it was given up", **key),
            )
        return record(run.league, replace(result, match="again 2"))

    return in_round(done)


def ruled_without_a_try() -> Rigged:
    """Let a match that was never given up count as lost by whoever is to lose."""

    def done(run: Rigged, result: ResultRecorded) -> Sequence[LeagueFact]:
        return record(run.league, replace(result, places=(1, 2), scores=(0, 0), ruled="loss"))

    return in_round(done, ruling="loss")


def shared_where_the_terms_say_loss_of_another() -> Rigged:
    """Share a match out by rule to a seat that no rule names: both lose but the friend."""

    def done(run: Rigged, result: ResultRecorded) -> Sequence[LeagueFact]:
        key = {"round": result.round, "table": result.table, "game": result.game}
        run.happens(acts.MatchReplaced(old=result.match, new="again", at=run.at, why="it was given up", **key))
        return record(run.league, replace(result, match="again", places=(1, 2), scores=(0, 0), ruled="share"))

    return in_round(done)


def entry_changed_in_the_middle() -> Rigged:
    """Let an entry play as another version once it has played."""

    def done(run: Rigged) -> None:
        run.happens(acts.VersionRenewed(entry=8, version=999, name="stronger", old="bot8", at=run.at))

    return between(done)


def round_begun_other_than_drafted() -> Rigged:
    """Begin a round with other tables than were drafted, and no act that says so."""
    run = Rigged(SWISS, held=True)
    run.happens(*proceed(run.league, run.link(), run.at).facts)
    begun = organising.begin(run.league, run.hand().at)
    one, other, *tables = begun.tables
    swapped = (
        replace(one, seating=(one.seating[0], other.seating[1])),
        replace(other, seating=(other.seating[0], one.seating[1])),
    )
    run.happens(replace(begun, tables=(*swapped, *tables)))
    run.play()
    return run


def drafted_until_it_pleases() -> Rigged:
    """Draft the first round again and again, until the friend meets the weakest."""
    run = Rigged(SWISS, held=True)
    run.happens(*proceed(run.league, run.link(), run.at).facts)
    while not any({1, 8} == set(table.seating) for table in run.league.draft.tables):  # type: ignore[union-attr]  # it is drafted
        run.happens(*redraft(run.league, "", run.hand()).facts)
    run.happens(organising.begin(run.league, run.hand().at))
    run.play()
    return run


def drafted_in_secret_until_it_pleases() -> Rigged:
    """Draft the first round again and again, and keep the last draft alone, as if it were the first one."""
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
    return Rigged.of(run, hidden)


def removed_by_nobody() -> Rigged:
    """Withdraw whoever leads, in nobody's name."""
    return between(lambda run: run.happens(acts.BotWithdrew(entry=1, reason="", at=run.at)))


def more_bots_than_an_author_may() -> Rigged:
    """Let an author enter more bots than the league takes of one."""
    run = Rigged(SWISS, entries=6, per_author=9)
    for entry in (7, 8, 9):
        run.happens(BotEntered(entry=entry, version=900 + entry, name=f"friend{entry}", author="eve", by="eve"))
    run.facts[0] = replace(run.facts[0], per_author=2)  # type: ignore[call-arg]  # it is the opening
    return Rigged.of(run, run.facts)


def excused_for_points() -> Rigged:
    """Excuse nobody, and give the friend the points of who was: a rest that no act asked for."""

    def trick(run: Rigged, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if not any(isinstance(fact, RoundPaired) for fact in coming):
            return coming
        drawn = round_in(coming)
        last = drawn.tables[-1]
        rests = tuple(Rest(entry, "1", "absent") for entry in last.seating)
        return with_round(coming, replace(drawn, tables=drawn.tables[:-1], rests=(*drawn.rests, *rests)))

    return Rigged(stage("swiss", rounds=4, absence="win"), trick=trick)
