"""Secrecy of the tools for agent programs: they reveal nothing that the agent's seat does not know."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest
from mcp import Client

from ftk_core.facts import OMNISCIENT
from ftk_core.games import game
from ftk_core.kit.mcp_agents.agent_seats import AgentSeats
from ftk_core.kit.mcp_agents.agent_tools import OfflineMcpTools
from ftk_core.kit.mcp_agents.mcp_server import create_server
from ftk_core.kit.mcp_agents.practice_matches import PracticeMatches
from ftk_core.match_state_from_log import AnyGame
from tests.support.agents import text_of, use_tool
from tests.support.laws.by_game import other_world
from tests.support.laws.rigged import WorldImpossible
from tests.support.laws.twin_matches import rules_with_outcomes
from tests.support.laws.twins import SECRET_GAMES
from tests.support.laws.worlds import World, compare_worlds, play_world
from tests.support.lengths import short_or_long
from tests.support.players import ScriptedPlayer

pytestmark = pytest.mark.slow

PAIRS = short_or_long(2, 40)
MAX_QUESTIONS = 25
"""Maximum number of questions that an agent answers in a match."""


class AgentMatch(NamedTuple):
    """A match to replay with an agent in one seat."""

    rules: AnyGame
    world: World
    facts: int
    """Number of facts that the seat sees alike in both matches of a pair."""


def list_pairs(name: str, seat: int) -> Iterator[tuple[AgentMatch, AgentMatch]]:
    """Yield pairs of matches that differ only in facts hidden from the seat, at least for a while."""
    rules = game(name)
    for number in range(40):
        world, diary = play_world(rules, rules.seats.start, rules.options(), number, seat)
        try:
            changes = other_world(name)(world, seat, Random(f"agents {number}"))
            twin, common = compare_worlds(world, diary, changes)
        except WorldImpossible:
            continue
        if any(here != there for here, there in zip(world.states[:common], twin.states, strict=False)):
            other = rules_with_outcomes(rules, world.seed, changes.says)
            yield AgentMatch(rules, world, common), AgentMatch(other, twin, common)


def asked(match: AgentMatch, seat: int) -> list[tuple[int, Any, int]]:
    """Return (facts before it, action, menu index) for each choice of a seat that had more than one."""
    choices = []
    for (facts, chooser), action in sorted(match.world.chosen.items(), key=lambda spot: spot[0]):
        menu = game(match.rules.name).legal(match.world.states[facts], chooser)
        if chooser == seat and len(menu) > 1:
            choices.append((facts, action, menu.index(action)))
    return choices


async def read_transcript(match: AgentMatch, seat: int, questions: int, rules: AnyGame) -> list[str]:
    """Replay a match with an agent in a seat; return all texts that it reads up to a number of questions."""
    seats, choices = AgentSeats(), asked(match, seat)
    practice = PracticeMatches(seats)
    others = [at for at in range(match.world.seats) if at != seat]
    players = [ScriptedPlayer([action for _, action, _ in asked(match, at)], f"Player {at}") for at in others]
    name = practice.seat_agent(rules, players, seat, match.world.seed)
    async with Client(create_server(OfflineMcpTools(seats, practice).list_tools())) as client:
        texts = [text_of(await use_tool(client, "read_question", seat=name))]
        for number in range(1, questions):
            answer = {"seat": name, "question": number, "choose": choices[number - 1][2]}
            texts.append(text_of(await use_tool(client, "answer", **answer)))
        texts += [text_of(await use_tool(client, tool)) for tool in ("list_seats", "read_question")]
        practice.leave("practice-1")
    return texts


def compare_transcripts(name: str, pairs: int, *, leaky: bool = False) -> int:
    """Assert that an agent reads the same in both matches of each pair; return the number of texts."""
    compared = 0
    for number, pair in enumerate(list_pairs(name, seat := 1)):
        if number == pairs:
            break
        questions = min(MAX_QUESTIONS, sum(facts <= pair[0].facts for facts, *_ in asked(pair[0], seat)))
        if questions:
            rules = [leak(match.rules) if leaky else match.rules for match in pair]
            here, there = (
                asyncio.run(read_transcript(match, seat, questions, row))
                for match, row in zip(pair, rules, strict=True)
            )
            assert here == there
            compared += len(here)
    return compared


def leak(rules: AnyGame) -> AnyGame:
    """Return rules whose views show everything to everybody."""
    return dataclasses.replace(rules, view=lambda state, _viewer: rules.view(state, OMNISCIENT))


@pytest.mark.parametrize("name", SECRET_GAMES)
def test_an_mcp_agent_gets_the_same_texts_if_matches_differ_only_in_secrets_of_other_players(name: str) -> None:
    assert compare_transcripts(name, PAIRS) > PAIRS


def test_the_secrecy_check_of_agent_texts_detects_a_game_whose_views_show_everything() -> None:
    with pytest.raises(AssertionError):
        compare_transcripts("for_the_king", PAIRS, leaky=True)
