"""Leagues that an organiser with the server's key rigged from within, each played on to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ftk_core.kit.verify_league import Report
from ftk_core.league import organising
from ftk_core.league.commands import closing, proceed, record
from ftk_core.league.facts import (
    LeagueClosed,
    LeagueFact,
    ResultRecorded,
    RoundPaired,
    StageEnded,
)
from ftk_core.league.folding import fold
from ftk_core.league.plans import Stage
from tests.support.auditing.exports import logs_of, report_on, sign_again
from tests.support.auditing.leagues import Busy
from tests.support.stages import stage

Trick = Callable[["Rigged", Sequence[LeagueFact]], Sequence[LeagueFact]]
"""Forged facts in place of those between two rounds."""
SWISS = stage("swiss", rounds=4)


def as_it_comes(_: Rigged, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
    """Rig nothing between rounds."""
    return coming


class Rigged(Busy):
    """A league to which nothing is done but by its organiser."""

    def __init__(
        self, *stages: Stage, trick: Trick = as_it_comes, entries: int = 8, seed: int = 1, **terms: Any
    ) -> None:
        usual: dict[str, Any] = {"held": False, "late": 0, "tries": 1, "ruling": "share", "who": "anybody"}
        self.trick = trick
        super().__init__(*stages, entries=entries, seed=seed, busy=0, **{**usual, "per_author": 0, **terms})

    def pair(self) -> bool:
        """Go on by what is put in the place of the next round."""
        coming = proceed(self.league, self.link(), self.hand().at)
        over = coming.over
        facts = self.trick(self, coming.facts)
        self.happens(*facts)
        if over or any(isinstance(fact, StageEnded) and fact.stage == len(self.league.stages) for fact in facts):
            self.happens(LeagueClosed(self.secret.hex()))
            return False
        while self.league.draft:
            self.happens(organising.begin(self.league, self.hand().at))
        return True

    @classmethod
    def of(cls, run: Rigged, facts: Sequence[LeagueFact]) -> Rigged:
        """Return a league with these facts instead, on its way."""
        other = cls(SWISS, entries=0)
        other.secret, other.facts, other.league, other.at = run.secret, list(facts), fold(facts), run.at
        return other

    def report(self) -> Report:
        """Play what is left; return the report on an export that fits its logs."""
        if not self.league.closed:
            self.finish()
        facts = sign_again(self.facts)
        return report_on(facts, logs_of(facts, self.secret))


def round_in(facts: Sequence[LeagueFact]) -> RoundPaired:
    """Return the round among facts."""
    return next(fact for fact in facts if isinstance(fact, RoundPaired))


def with_round(facts: Sequence[LeagueFact], forged: LeagueFact) -> list[LeagueFact]:
    """Return the facts with another round in the place of theirs."""
    return [forged if isinstance(fact, RoundPaired) else fact for fact in facts]


def between(done: Callable[[Rigged], None], *stages: Stage, after: int = 2, **terms: Any) -> Rigged:
    """Return a league in which something is done once so many rounds are over."""

    def trick(run: Rigged, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if len(run.league.rounds) != after:
            return coming
        done(run)
        return proceed(run.league, run.link(), run.at).facts

    return Rigged(*(stages or (SWISS,)), trick=trick, **terms)


def in_round(done: Callable[[Rigged, ResultRecorded], Sequence[LeagueFact]], **terms: Any) -> Rigged:
    """Return a league in which something is done instead of recording the first result of round 2."""
    run = Rigged(SWISS, **terms)
    run.pair()
    run.play()
    run.pair()
    first, *others = run.results()
    run.happens(*done(run, first))
    run.happens(*record(run.league, *others))
    run.happens(*closing(run.league) if run.league.closed_rounds < 2 else ())
    return run
