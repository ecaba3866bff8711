"""Leagues of any kind, one a number: each with its terms, its entries and everything people may do to it on the way."""

from __future__ import annotations

from functools import cache
from random import Random

from ftk_core.fold import check_options, read_options
from ftk_core.games import game, shelf
from ftk_core.league import endings, organising
from ftk_core.league.acts import LeagueEnded, StageCut
from ftk_core.league.commands import ahead, closing, proceed, record, redraft
from ftk_core.league.deals import turned
from ftk_core.league.drafts import flaw_of_draft
from ftk_core.league.facts import (
    LeagueClosed,
    LeagueFact,
    ResultRecorded,
    RoundPaired,
)
from ftk_core.league.formats import formats
from ftk_core.league.luck import next_link
from ftk_core.league.plans import Stage, TablePlan
from ftk_core.league.stages import lacking
from ftk_core.league.state import LeagueState, NotNow
from tests.support.results import result_of
from tests.support.stages import HAND, Run

LONGEST = 250
"""No league here has more rounds, drafted or played."""


@cache
def shortest(name: str, seats: int) -> int:
    """Return the shortest table of a game below a full one, as announcing a league finds it."""
    rules, least = game(name), seats
    while least > rules.seats.start:
        try:
            check_options(rules, least - 1, read_options(rules, "{}"))
        except ValueError:
            break
        least -= 1
    return least


def drawn_stages(draw: Random, name: str) -> tuple[Stage, ...]:
    """Return the stages of a league of a game."""
    return tuple(_stage(draw, name, number) for number in range(draw.choice([1, 1, 2, 3])))


def _stage(draw: Random, name: str, number: int) -> Stage:
    form = draw.choice(sorted(formats()))
    module, seats = formats()[form], draw.choice(game(name).seats)
    return Stage(
        format=form,
        seats=seats,
        least=shortest(name, seats),
        rounds=draw.randint(1, 4) if module.counted else draw.choice([0, 0, 3]) * (form != "knockout"),
        games=draw.choice([1, 1, 2]),
        scored=draw.choice(["matches", "matches", "blocks"]),
        worth=draw.choice(["places", "wins", "shared"]),
        rest=draw.choice(["win", "half", "none"]),
        tiebreaks=draw.choice([(), ("wins",), ("opposition-2", "lots")]),
        carry=draw.choice(["none", "half", "all"]) if number else "none",
        qualify=draw.choice([0, 4, 6, 8, 12]) if number else 0,
        groups=draw.choice([1, 1, 2, 3]) if module.grouped else 1,
        seeding=draw.choice(["lot", "lot", "rating", "entry"]),
    )


class AnyLeague(Run):
    """A league on its way, to which things happen before, within and between its rounds."""

    def __init__(self, number: int, budget: int = 0) -> None:
        draw = Random(number)
        self.game, self.budget = draw.choice(list(shelf())), budget
        entries = draw.choice([draw.randint(1, 14), draw.randint(1, 14), draw.randint(1, 60)])
        self.stages = drawn_stages(draw, self.game)
        self.eventful = draw.choice([0.0, 0.2, 0.5])
        self.stuck = list[str]()
        """Reasons why no round could be paired; each time an act ended the stage or the league."""
        super().__init__(
            *self.stages,
            entries=entries,
            seed=number,
            authors=draw.choice([0, 3]),
            game=self.game,
            held=draw.random() < 0.4,
            late=draw.choice([0, 0, 3]),
            granted=draw.choice(["none", "half", "mean"]),
        )
        self.ratings = {entry: draw.randint(1200, 1800) for entry in range(1, entries + 1) if draw.random() < 0.8}

    def refusal(self) -> str:
        """Return why the league could not be announced; empty if it can."""
        short = lacking(self.stages, 10**6)
        return f"stage {short[0] + 1} needs {short[1]} entries, and {short[2]} qualify" if short else ""

    def finish(self, chance_of_an_act: float = 0) -> LeagueState:
        """Play to the end: by itself, or by one verb once nothing can be played any more, which `stuck` names."""
        while not self.league.closed:
            assert len(self.league.rounds) < LONGEST
            try:
                self._step()
            except NotNow as refusal:
                self.stuck.append(str(refusal))
                last = self.league.begun and self.league.begun[-1].number == len(self.stages)
                self.end(self.draw.choice(["end", "close"]) if last else "close")
        return self.league

    def _step(self) -> None:
        if self.league.between:
            self._go_on()
        else:
            self._play_some()
        if self.draw.random() < self.eventful / 20:
            self.end(self.draw.choice(["end", "close"]))
        elif self.league.history and self.draw.random() < self.eventful and not self.league.closed:
            self.act()

    def _go_on(self) -> None:
        """Draw, draft or begin the next round, or end the league."""
        link = next_link(self.secret, self.league)
        if self.league.draft is None:
            self._happens_next(*self._drawn(link))
        elif flaw_of_draft(self.league) or self.draw.random() < 0.1:
            self._happens_next(*self._drawn_again(link))
        else:
            self.happens(organising.begin(self.league, HAND.at))

    def _drawn(self, link: str) -> tuple[tuple[LeagueFact, ...], bool]:
        coming = proceed(self.league, link, budget=self.budget, ratings=self.ratings)
        return coming.facts, coming.over

    def _drawn_again(self, link: str) -> tuple[tuple[LeagueFact, ...], bool]:
        coming = redraft(self.league, link, HAND)
        return coming.facts, coming.over

    def _happens_next(self, facts: tuple[LeagueFact, ...], over: bool) -> None:
        self.happens(*facts)
        if over:
            self.happens(LeagueClosed(self.secret.hex()))

    def _play_some(self) -> None:
        """Play some matches of the round; where the next one can be paired before that is over, it may be."""
        if self.draw.random() < 0.5:
            self.happens(*ahead(self.league, next_link(self.secret, self.league)))
        waiting = [one for one in self.results() if (one.round, one.table, one.game) not in self.league.recorded]
        some = waiting if self.draw.random() < 0.7 else waiting[: self.draw.randint(1, len(waiting))]
        self.happens(*record(self.league, *some))

    def _result(self, paired: RoundPaired, table: TablePlan, game: int) -> ResultRecorded:
        return result_of(paired.round, table, game, {entry: self.draw.randint(0, 3) for entry in turned(table, game)})

    def end(self, verb: str) -> None:
        """End the stage or the league, as an organiser does: what is open of it is voided."""
        try:
            fact: StageCut | LeagueEnded = {"end": endings.end_stage, "close": endings.close}[verb](self.league, HAND)
        except NotNow:
            return
        self.happens(fact)
        for key in self.league.open_matches:
            self.happens(organising.void(self.league, key, "-".join(map(str, key)), HAND))
            self.happens(*closing(self.league))
