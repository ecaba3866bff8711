"""Leagues of any stages, played by luck, with whatever organisers and authors may do to them on the way."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ftk_core.league import organising
from ftk_core.league.commands import ahead, enter, proceed, record
from ftk_core.league.deals import turned
from ftk_core.league.facts import LEAGUE_RULES, LeagueClosed, LeagueFact, LeagueOpened, ResultRecorded, RoundPaired
from ftk_core.league.folding import fold
from ftk_core.league.luck import anchor, next_link
from ftk_core.league.organising import Hand
from ftk_core.league.plans import Stage, TablePlan
from ftk_core.league.state import LeagueState, NotNow
from ftk_core.rng import seal_of, seed_of
from tests.support.results import result_of

HAND = Hand(by="ada", at=1_800_000_000, why="the test says so")
LONGEST = 400
"""No league here has more rounds."""


def opened(*stages: Stage, seed: int = 1, **terms: object) -> LeagueOpened:
    """Return how a league of these stages is announced."""
    first, secret = stages[0], secret_of(seed)
    said = {name: getattr(first, name) for name in ("format", "seats", "least", "rounds", "games", "worth")}
    said["rounds"] = sum(one.rounds for one in stages)
    usual = {"slug": "night", "name": "Night", "game": "pig", "move_ms": 1000, "bank_ms": 5000, "tries": 2}
    seals = {"secret_seal": seal_of(secret), "luck": anchor(secret), "stages": stages, "rules": LEAGUE_RULES}
    return LeagueOpened(**{**usual, **said, **seals, **terms})  # type: ignore[arg-type]  # the fields have many types


def secret_of(seed: int) -> bytes:
    """Return the secret of a league here."""
    return seed_of("stages", seed)


class Run:
    """A league on its way."""

    def __init__(self, *stages: Stage, entries: int, seed: int = 1, authors: int = 0, **terms: object) -> None:
        self.secret, self.draw = secret_of(seed), Random(seed)
        self.facts: list[LeagueFact] = []
        self.league = LeagueState()
        self.happens(opened(*stages, seed=seed, **terms))
        for _ in range(entries):
            self.enter(f"author {self.draw.randrange(authors)}" if authors else "")

    def happens(self, *facts: LeagueFact) -> None:
        """Go on by facts."""
        self.facts += facts
        self.league = fold(facts, self.league)

    def enter(self, author: str = "") -> None:
        """Let one more bot enter."""
        number = len(self.league.entrants) + 1
        self.happens(enter(self.league, 100 + number, f"bot{number}", author))

    def pair(self) -> bool:
        """Go on to the next round, if none is open; return whether there is one, and not the end."""
        if not self.league.between:
            return True
        coming = proceed(self.league, next_link(self.secret, self.league))
        self.happens(*coming.facts)
        if coming.over:
            self.happens(LeagueClosed(self.secret.hex()))
        elif self.league.draft:
            self.happens(organising.begin(self.league, HAND.at))
        return not coming.over

    def results(self) -> list[ResultRecorded]:
        """Return results of the round: the earlier an entry, the better it mostly is; now and then there is a tie."""
        paired = self.league.rounds[self.league.playing - 1]
        games = range(self.league.terms_of(paired.round).games)
        return [self._result(paired, table, game) for table in paired.tables for game in games]

    def _result(self, paired: RoundPaired, table: TablePlan, game: int) -> ResultRecorded:
        form = {entry: round(self.draw.gauss(-entry / 10, 2)) for entry in turned(table, game)}
        return result_of(paired.round, table, game, form)

    def play(self) -> None:
        """Play the round to its end; where the next one can be paired before that, it is, every other time."""
        if self.league.playing % 2:
            self.happens(*ahead(self.league, next_link(self.secret, self.league)))
        self.happens(*record(self.league, *self.results()))

    def finish(self, chance_of_an_act: float = 0) -> LeagueState:
        """Play to the end; now and then somebody does something between two rounds."""
        while self.pair():
            assert len(self.league.rounds) < LONGEST
            self.play()
            if self.draw.random() < chance_of_an_act:
                self.act()
        return self.league

    def act(self) -> None:
        """Do something to the league that can be done to it, between two rounds."""
        league, draw = self.league, self.draw
        entries = range(1, len(league.entrants) + 1)
        one, other = draw.sample(entries, 2)
        key = draw.choice(list(league.history))
        seats = len(league.history[key][0].seating) if isinstance(league.history[key][0], ResultRecorded) else 2
        deeds = [
            lambda: organising.withdraw(league, one, HAND),
            lambda: organising.bring_back(league, one, HAND),
            lambda: organising.excuse(league, one, [len(league.rounds) + 1], HAND),
            lambda: organising.disqualify(league, one, HAND),
            lambda: organising.forbid(league, one, other, HAND),
            lambda: organising.overrule(league, key, range(1, seats + 1), HAND),
            lambda: organising.void(league, key, league.history[key][0].match, HAND),
            lambda: enter(league, 100 + len(entries) + 1, f"bot{len(entries) + 1}"),
        ]
        try:
            self.happens(draw.choice(deeds)())
        except NotNow:
            return


def stage(format: str, seats: int = 2, rounds: int = 0, **more: object) -> Stage:  # noqa: A002 - its name in the facts
    """Return a stage."""
    return Stage(**{"format": format, "seats": seats, "least": min(seats, 2), "rounds": rounds, **more})  # type: ignore[arg-type]  # many types


def played(*stages: Stage, entries: int, seed: int = 1, acts: float = 0, **terms: object) -> Run:
    """Return a league that was played to its end."""
    run = Run(*stages, entries=entries, seed=seed, **terms)
    run.finish(acts)
    return run


def tables(run: Run, round_: int) -> Sequence[tuple[int, ...]]:
    """Return who sat together in a round."""
    return [table.seating for table in run.league.rounds[round_ - 1].tables]
