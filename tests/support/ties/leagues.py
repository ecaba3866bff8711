"""Random leagues with all cases of tie-breaks: byes of every kind, late entries, withdrawals, returns.

Their tables are drawn by lot, so that the pairing is not needed.
"""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from ftk_core.league.event_fields import EntrantBye, StageSettings, TableSeating
from ftk_core.league.intervention_facts import BotAbsenceGranted, BotWithdrew, MatchVoided, WithdrawnBotReturned
from ftk_core.league.league_facts import (
    BotEntered,
    LeagueFact,
    LeagueOpened,
    ResultRecorded,
    RoundClosed,
    RoundPaired,
    StageBegun,
)
from ftk_core.league.match_seating_and_random_seeds import rotate_seating
from ftk_core.random_streams import seal_of, seed_of
from tests.support.results import build_result

NEW = ("opposition-2-cut-1", "opposition-2", "quality-2", "head-to-head", "mean-score", "excuses", "lots")


class TieLeague:
    """A league under construction: its facts and the state of its entries."""

    def __init__(self, number: int, thirds: bool = True, rules: int = 0, **terms: Any) -> None:
        """Draw a league with these terms; `thirds` of a point are sometimes granted to late entries."""
        self.draw = Random(number)
        self.granted = (0, 2, 3) if thirds else (0, 2)
        seats = self.draw.choice([2, 2, 2, 3, 4, 5, 8])
        worth = self.draw.choice(["places", "places", "wins", "shared"])
        self.stage = StageSettings(
            format="swiss",
            seats=seats,
            least=2,
            rounds=9,
            games=self.draw.choice([1, 1, 2, 3]),
            worth=worth,
            rest=self.draw.choice(["win", "half", "none"]),
            absence=self.draw.choice(["half", "none"]),
            tiebreaks=NEW,
        )
        self.stage = msgspec.structs.replace(self.stage, **terms)
        self.facts: list[LeagueFact] = [open_league(number, self.stage, rules), StageBegun(stage=1, entries=())]
        self.entries = 0
        self.away = set[int]()
        self.form = dict[int, float]()
        for _ in range(self.draw.randint(2, 14)):
            self.enter(1, "0")
        for round_ in range(1, self.draw.randint(1, 7) + 1):
            self.happenings(round_)
            self.play(round_)

    def enter(self, round_: int, points: str) -> None:
        self.entries += 1
        self.form[self.entries] = self.draw.gauss(0, 1)
        name = f"bot{self.entries}"
        self.facts.append(
            BotEntered(entry=self.entries, version=100 + self.entries, name=name, round=round_, points=points)
        )

    def happenings(self, round_: int) -> None:
        here = [entry for entry in range(1, self.entries + 1) if entry not in self.away]
        if self.draw.random() < 0.2 and len(here) > 2:
            self.away.add(gone := self.draw.choice(here))
            self.facts.append(BotWithdrew(entry=gone, reason="asked to"))
        if self.draw.random() < 0.1 and self.away:
            self.away.remove(back := self.draw.choice(sorted(self.away)))
            self.facts.append(WithdrawnBotReturned(entry=back))
        if self.draw.random() < 0.3 and round_ > 1:
            part = self.draw.choice(self.granted)
            self.enter(round_, f"{round_ - 1}/{part}" if part else "0")

    def play(self, round_: int) -> None:
        here = [entry for entry in range(1, self.entries + 1) if entry not in self.away]
        self.draw.shuffle(here)
        worth, games = {"win": 2, "half": 1, "none": 0}, self.stage.games
        rests = list[EntrantBye]()
        while len(here) > 2 and self.draw.random() < 0.25:
            self.facts.append(BotAbsenceGranted(entry=(asked := here.pop()), rounds=(round_,)))
            rests.append(EntrantBye(asked, f"{worth[self.stage.absence] * games}/2", "absent"))
        tables = [here[at : at + self.stage.seats] for at in range(0, len(here), self.stage.seats)]
        if len(tables[-1]) == 1:
            rests.append(EntrantBye(tables.pop()[0], f"{worth[self.stage.rest] * games}/2", "odd"))
        plans = tuple(TableSeating(number, tuple(table)) for number, table in enumerate(tables, 1))
        link = seed_of("link", round_, len(self.facts)).hex()
        self.facts.append(RoundPaired(round=round_, tables=plans, rests=tuple(rests), link=link))
        for plan in plans:
            for game in range(games):
                self.facts.append(result := self.result(round_, plan, game))
                if self.draw.random() < 0.03:
                    said = {"round": round_, "table": plan.number, "game": game}
                    self.facts.append(MatchVoided(match=result.match, **said))
        self.facts.append(RoundClosed(round_))

    def result(self, round_: int, plan: TableSeating, game: int) -> ResultRecorded:
        luck = {entry: round(self.form[entry] + self.draw.gauss(0, 1)) for entry in rotate_seating(plan.seating, game)}
        failed = tuple(self.draw.choice([0, 0, 0, 1, 4]) for _ in luck)
        return build_result(round_, plan, game, luck, failed if any(failed) else ())


def open_league(number: int, stage: StageSettings, rules: int) -> LeagueOpened:
    return LeagueOpened(
        slug=f"ties-{number}",
        name="Ties",
        game="pig",
        format=stage.format,
        seats=stage.seats,
        least=stage.least,
        rounds=stage.rounds,
        games=stage.games,
        move_ms=1000,
        bank_ms=5000,
        secret_seal=seal_of(seed_of("ties", number)),
        worth=stage.worth,
        stages=(stage,),
        luck=seed_of("anchor", number).hex(),
        rules=rules,
    )
