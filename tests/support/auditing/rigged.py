"""Leagues that an organiser with the server's key manipulated while they were played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ftk_core.kit.verify.league_export_verification import ExportVerificationReport
from ftk_core.league import organiser_command_handlers
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_command_handlers import proceed, record, round_end_facts
from ftk_core.league.league_facts import LeagueClosed, LeagueFact, ResultRecorded, RoundPaired, StageEnded
from ftk_core.league.league_state_from_events import fold_facts
from tests.support.auditing.exports import logs_of, report_on, sign_again
from tests.support.auditing.leagues import BusyLeague
from tests.support.stages import stage

Trick = Callable[["RiggedLeague", Sequence[LeagueFact]], Sequence[LeagueFact]]
"""Manipulation between two rounds: (league, honest facts) -> the facts that replace them."""
SWISS = stage("swiss", rounds=4)


def leave_unchanged(_: RiggedLeague, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
    """Manipulate nothing between rounds."""
    return coming


class RiggedLeague(BusyLeague):
    """A league without acts except the organiser's manipulation."""

    def __init__(
        self, *stages: StageSettings, trick: Trick = leave_unchanged, entries: int = 8, seed: int = 1, **terms: Any
    ) -> None:
        usual: dict[str, Any] = {"held": False, "late": 0, "tries": 1, "ruling": "share", "who": "anybody"}
        self.trick = trick
        super().__init__(*stages, entries=entries, seed=seed, busy=0, **{**usual, "per_author": 0, **terms})

    def pair(self) -> bool:
        """Continue with the facts that `trick` returns in place of the next round; return False at the end."""
        coming = proceed(self.league, self.link(), self.hand().at)
        over = coming.over
        facts = self.trick(self, coming.facts)
        self.append(*facts)
        if over or any(isinstance(fact, StageEnded) and fact.stage == len(self.league.stages) for fact in facts):
            self.append(LeagueClosed(self.secret.hex()))
            return False
        while self.league.draft:
            self.append(organiser_command_handlers.begin_draft(self.league, self.hand().at))
        return True

    @classmethod
    def of(cls, run: RiggedLeague, facts: Sequence[LeagueFact]) -> RiggedLeague:
        """Return a copy of a league in progress with these facts in place of its own."""
        other = cls(SWISS, entries=0)
        other.secret, other.facts, other.league, other.at = run.secret, list(facts), fold_facts(facts), run.at
        return other

    def report(self) -> ExportVerificationReport:
        """Play the remaining rounds; return the verifier's report on an export whose logs agree with the stream."""
        if not self.league.closed:
            self.finish()
        facts = sign_again(self.facts)
        return report_on(facts, logs_of(facts, self.secret))


def find_round(facts: Sequence[LeagueFact]) -> RoundPaired:
    """Return the paired round among facts."""
    return next(fact for fact in facts if isinstance(fact, RoundPaired))


def replace_round(facts: Sequence[LeagueFact], forged: LeagueFact) -> list[LeagueFact]:
    """Return the facts with another round in place of the real one."""
    return [forged if isinstance(fact, RoundPaired) else fact for fact in facts]


def rig_between_rounds(
    done: Callable[[RiggedLeague], None], *stages: StageSettings, after: int = 2, **terms: Any
) -> RiggedLeague:
    """Return a league that `done` manipulates after `after` rounds, before the next round is paired."""

    def trick(run: RiggedLeague, coming: Sequence[LeagueFact]) -> Sequence[LeagueFact]:
        if len(run.league.rounds) != after:
            return coming
        done(run)
        return proceed(run.league, run.link(), run.at).facts

    return RiggedLeague(*(stages or (SWISS,)), trick=trick, **terms)


def rig_within_round(
    done: Callable[[RiggedLeague, ResultRecorded], Sequence[LeagueFact]], **terms: Any
) -> RiggedLeague:
    """Return a league in which the facts that `done` returns replace the record of the first result of round 2."""
    run = RiggedLeague(SWISS, **terms)
    run.pair()
    run.play()
    run.pair()
    first, *others = run.results()
    run.append(*done(run, first))
    run.append(*record(run.league, *others))
    run.append(*round_end_facts(run.league) if run.league.closed_rounds < 2 else ())
    return run
