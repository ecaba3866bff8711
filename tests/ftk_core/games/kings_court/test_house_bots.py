"""The built-in bots differ in skill, as Kings and as subjects of any King."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise, product
from statistics import fmean, stdev
from typing import Any

import pytest

from ftk_core.facts import encode
from ftk_core.games import game
from ftk_core.games.kings_court.player_view import view
from ftk_core.games.kings_court.roles_and_options import KingsCourtOptions
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.log_entries import ChoiceMade, read
from ftk_core.random_streams import MatchRandomness, seed_of
from ftk_core.referee import play
from tests.support.games.kings_court.courts import build_court
from tests.support.local import LocalPlayer, load_bot_module

GAME = "kings_court"
LADDER = ("sleuth", "accuser", "random")
"""The best first."""
COURTS, SEATS = 300, 6
CONFIDENCE = 1.96
"""Standard errors on either side of a mean: 95 % of a normal distribution."""
REIGNS = 40
Span = tuple[float, float]


def play_court(
    seating: Sequence[str], seed: bytes, options: KingsCourtOptions | None = None, log: InMemoryLog | None = None
) -> tuple[int, ...]:
    """Play a match of Kings Court and return, for each seat, 1 if it wins, else 0."""
    players = [LocalPlayer(GAME, name) for name in seating]
    return play(game(GAME), players, seed, match=seed.hex(), options=options, log=log).scores


def shares() -> dict[tuple[str, bool], list[float]]:
    """Return each bot's shares of victories, one for each mixed court, by bot and True if seat 0 counts, too."""
    found: dict[tuple[str, bool], list[float]] = defaultdict(list)
    for number in range(COURTS):
        seed = seed_of("mixed court", number)
        seating = MatchRandomness(seed).at("seating").shuffled(LADDER * (SEATS // len(LADDER)))
        scores = play_court(seating, seed)
        for name, king in product(LADDER, (True, False)):
            own = [scores[seat] for seat in range(SEATS) if seating[seat] == name and (king or seat)]
            found[name, king].append(fmean(own))
    return found


def interval(values: Sequence[float]) -> Span:
    mean, error = fmean(values), stdev(values) / math.sqrt(len(values))
    return mean - CONFIDENCE * error, mean + CONFIDENCE * error


@pytest.mark.slow
def test_as_king_and_as_subject_the_sleuth_bot_beats_the_accuser_bot_which_beats_the_random_bot() -> None:
    found = {key: interval(values) for key, values in shares().items()}
    for (better, worse), king in product(pairwise(LADDER), (True, False)):
        assert found[better, king][0] > found[worse, king][1], f"{better}, {worse}, King counted {king}: {found}"


@pytest.mark.slow
def test_a_king_bot_that_finds_contradictions_beats_one_that_accuses_at_random() -> None:
    """Both Kings play against seven sleuth bots."""
    reigns = {
        king: sum(play_court([king, *["sleuth"] * 7], seed_of("reign", number))[0] for number in range(REIGNS))
        for king in ("sleuth", "accuser")
    }
    assert reigns["sleuth"] > reigns["accuser"] + REIGNS // 4


@pytest.mark.parametrize("seats", [6, 9, 12])
@pytest.mark.parametrize("extra", [(), ("guard", "princess", "usurper")])
def test_every_built_in_bot_plays_games_with_every_set_of_roles_to_the_end(seats: int, extra: tuple[str, ...]) -> None:
    cards = tuple(["peasant"] * (seats - 4 - len(extra)) + list(extra)) if extra and seats > 7 else None
    names = list(list_built_in_bots(GAME))
    seating, log = [names[seat % len(names)] for seat in range(seats)], InMemoryLog()
    scores = play_court(seating, seed_of("every"), KingsCourtOptions(cards, fake=True), log)
    assert set(scores) <= {0, 1}
    chosen = [entry for line in lines_of(log) if isinstance(entry := read(line), ChoiceMade)]
    assert {entry.excuse for entry in chosen} == {None}, "all answers were legal"


def claim(seat: int, topic: str, number: int, role: str | None = None) -> dict[str, Any]:
    said = {"topic": topic, "number": number, "role": role, "cards": None, "fake": False}
    return {"kind": "said", "seat": seat, "claim": said}


def test_the_sleuth_bot_deduces_which_player_lied() -> None:
    """Seat 2 claims to pass on 13 diamonds, seat 3 to receive 8. Seats 1 and 3 claim to be the only Peasant."""
    table = build_court(["peasant", "apprentice", 5, "usurper", 0])
    seen = json.loads(encode(view(table, 0)))
    for seat, (came, went) in enumerate([(13, 13), (13, 13), (8, 8), (8, 8), (8, 8)], 1):
        seen["said"] += [claim(seat, "received_diamonds", came), claim(seat, "passed_diamonds", went)]
    for seat, role in ((1, "peasant"), (2, "apprentice"), (3, "peasant"), (4, "usurper"), (5, None)):
        seen["said"].append(claim(seat, "took", 0, role))
    roles = load_bot_module(GAME, "sleuth").RoleInference(seen).roles()
    assert max(roles, key=lambda seat: roles[seat]["thief"]) == 3
    assert roles[3]["thief"] > 0.8
    assert all(found.total() == pytest.approx(1) for found in roles.values())
