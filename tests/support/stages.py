"""Random leagues of given stages, with acts of organisers and authors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest
from msgspec.structs import replace as put

from ftk_core.league import (
    league_correction_command_handlers,
    match_result_command_handlers,
    organiser_command_handlers,
)
from ftk_core.league.event_fields import StageSettings, TableSeating
from ftk_core.league.formats import list_formats
from ftk_core.league.intervention_facts import LeagueCorrected
from ftk_core.league.league_command_handlers import draw_ahead, enter, proceed, record
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_facts import (
    LEAGUE_RULES,
    LeagueClosed,
    LeagueFact,
    LeagueOpened,
    ResultRecorded,
    RoundPaired,
)
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.league_state_from_events import fold_facts
from ftk_core.league.match_seating_and_random_seeds import derive_match_id, rotate_seating
from ftk_core.league.stage_progress import NextStep, StageProgress
from ftk_core.league.statistics.round_seed_hash_chain import anchor_of, next_link
from ftk_core.random_streams import seal_of, seed_of
from tests.support.results import build_result

ORGANISER = LeagueActor(by="ada", at=1_800_000_000, why="the test says so")
MAX_ROUNDS = 400
"""No league here has more rounds."""


def build_opening_fact(*stages: StageSettings, seed: int = 1, **terms: object) -> LeagueOpened:
    """Return the opening fact of a league with these stages."""
    first, secret = stages[0], secret_of(seed)
    said = {name: getattr(first, name) for name in ("format", "seats", "least", "rounds", "games", "worth")}
    said["rounds"] = sum(one.rounds for one in stages)
    usual = {"slug": "night", "name": "Night", "game": "pig", "move_ms": 1000, "bank_ms": 5000, "tries": 2}
    seals = {"secret_seal": seal_of(secret), "luck": anchor_of(secret), "stages": stages, "rules": LEAGUE_RULES}
    return LeagueOpened(**{**usual, **said, **seals, **terms})  # type: ignore[arg-type]  # the fields have many types


def secret_of(seed: int) -> bytes:
    """Return the secret of the league with this seed."""
    return seed_of("stages", seed)


class LeagueRun:
    """A league in progress."""

    def __init__(self, *stages: StageSettings, entries: int, seed: int = 1, authors: int = 0, **terms: object) -> None:
        self.secret, self.draw = secret_of(seed), Random(seed)
        self.facts: list[LeagueFact] = []
        self.league = LeagueState()
        self.append(build_opening_fact(*stages, seed=seed, **terms))
        for _ in range(entries):
            self.enter(f"author {self.draw.randrange(authors)}" if authors else "")

    def append(self, *facts: LeagueFact) -> None:
        """Append facts."""
        self.facts += facts
        self.league = fold_facts(facts, self.league)

    def enter(self, author: str = "") -> None:
        """Enter one more bot."""
        number = len(self.league.entrants) + 1
        self.append(enter(self.league, 100 + number, f"bot{number}", author or f"author of bot{number}"))

    def pair(self) -> bool:
        """Pair the next round if none is open; return False at the end."""
        if not self.league.between:
            return True
        coming = proceed(self.league, next_link(self.secret, self.league))
        self.append(*coming.facts)
        if coming.over:
            self.append(LeagueClosed(self.secret.hex()))
        elif self.league.draft:
            self.append(organiser_command_handlers.begin_draft(self.league, ORGANISER.at))
        return not coming.over

    def results(self) -> list[ResultRecorded]:
        """Return results of the round: earlier entries are mostly better, and some results are ties."""
        paired = self.league.rounds[self.league.playing - 1]
        games = range(self.league.terms_of(paired.round).games)
        results = [self._result(paired, table, game) for table in paired.tables for game in games]
        return [put(one, match=derive_match_id(self.league, (one.round, one.table, one.game), 0)) for one in results]

    def _result(self, paired: RoundPaired, table: TableSeating, game: int) -> ResultRecorded:
        form = {entry: round(self.draw.gauss(-entry / 10, 2)) for entry in rotate_seating(table.seating, game)}
        return build_result(paired.round, table, game, form)

    def play(self) -> None:
        """Play the round to its end; pair the next round early, where possible, every other time."""
        if self.league.playing % 2:
            self.append(*draw_ahead(self.league, next_link(self.secret, self.league)))
        self.append(*record(self.league, *self.results()))

    def finish(self, chance_of_an_act: float = 0) -> LeagueState:
        """Play to the end, with some acts between rounds."""
        while self.pair():
            assert len(self.league.rounds) < MAX_ROUNDS
            self.play()
            if self.draw.random() < chance_of_an_act:
                self.act()
        return self.league

    def act(self) -> None:
        """Do a random possible act between two rounds."""
        league, draw = self.league, self.draw
        entries = range(1, len(league.entrants) + 1)
        one, other = draw.sample(entries, 2)
        key = draw.choice(list(league.history))
        seats = len(league.history[key][0].seating) if isinstance(league.history[key][0], ResultRecorded) else 2
        deeds = [
            lambda: organiser_command_handlers.withdraw_from_league(league, one, ORGANISER),
            lambda: organiser_command_handlers.return_entry(league, one, ORGANISER),
            lambda: organiser_command_handlers.excuse_entry(league, one, [len(league.rounds) + 1], ORGANISER),
            lambda: organiser_command_handlers.disqualify_entry(league, one, ORGANISER),
            lambda: organiser_command_handlers.forbid_meeting(league, one, other, ORGANISER),
            lambda: match_result_command_handlers.overrule_result(league, key, range(1, seats + 1), ORGANISER),
            lambda: match_result_command_handlers.void_match(league, key, league.history[key][0].match, ORGANISER),
            lambda: draw_correction(league, draw, ORGANISER),
            lambda: enter(league, 100 + len(entries) + 1, f"bot{len(entries) + 1}", "author of a late bot"),
        ]
        try:
            self.append(draw.choice(deeds)())
        except CommandRejected:
            return


def draw_correction(league: LeagueState, draw: Random, hand: LeagueActor) -> LeagueCorrected:
    """Return a random correction of a league's terms; raises CommandRejected if it is impossible."""
    until = draw.choice([None, None, 0, hand.at + 10**6])
    return league_correction_command_handlers.correct_league(
        league,
        hand,
        name=draw.choice([None, "Day", "Night"]),
        entries_until=until,
        description=draw.choice([None, "", "*Tea* is at eight.", "# Prizes\n\n- a cup\n" * 9]),
    )


def stage(format: str, seats: int = 2, rounds: int = 0, **more: object) -> StageSettings:  # noqa: A002 - its name in the facts
    """Return a stage."""
    return StageSettings(**{"format": format, "seats": seats, "least": min(seats, 2), "rounds": rounds, **more})  # type: ignore[arg-type]  # many types


def play_league(*stages: StageSettings, entries: int, seed: int = 1, acts: float = 0, **terms: object) -> LeagueRun:
    """Return a league that was played to its end."""
    run = LeagueRun(*stages, entries=entries, seed=seed, **terms)
    run.finish(acts)
    return run


def pair_with(monkeypatch: pytest.MonkeyPatch, next_round: Callable[[StageProgress], NextStep]) -> None:
    """Let this function decide the next step of Swiss stages."""
    monkeypatch.setitem(list_formats(), "swiss", replace(list_formats()["swiss"], next_round=next_round))


def list_round_tables(run: LeagueRun, round_: int) -> Sequence[tuple[int, ...]]:
    """Return the tables of a round."""
    return [table.seating for table in run.league.rounds[round_ - 1].tables]
