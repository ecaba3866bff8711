"""What organisers can do to a league while it goes on, by the verb for it: from a shell, or by a proposal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ftk_core.league import organising
from ftk_core.league.facts import Act
from ftk_core.league.organising import Hand
from ftk_core.league.state import LeagueState
from tournaments import services
from tournaments.models import League
from tournaments.queries import find_table

ENTRY = {"entry": {"type": int}}
PAIR = {"one": {"type": int, "metavar": "entry"}, "other": {"type": int, "metavar": "entry"}}
MATCH: dict[str, dict[str, Any]] = {"match": {}}
ROUNDS = {"rounds": {"type": int, "nargs": "+", "metavar": "round"}}
PLACES = {"places": {"type": int, "nargs": "+", "metavar": "place", "help": "by seat, from 1"}}
Deed = Callable[[LeagueState, dict[str, Any], Hand], Act]


def _on_entry(act: Callable[[LeagueState, int, Hand], Act]) -> Deed:
    return lambda state, o, hand: act(state, o["entry"], hand)


def _on_pair(act: Callable[[LeagueState, int, int, Hand], Act]) -> Deed:
    return lambda state, o, hand: act(state, o["one"], o["other"], hand)


DEEDS: dict[str, tuple[str, dict[str, dict[str, Any]], Deed]] = {
    "withdraw": ("an entry is not paired any more", ENTRY, _on_entry(organising.withdraw)),
    "return": ("an entry that withdrew is paired again", ENTRY, _on_entry(organising.bring_back)),
    "disqualify": (
        "an entry stands behind all others and is not paired any more",
        ENTRY,
        _on_entry(organising.disqualify),
    ),
    "excuse": (
        "an entry is absent from rounds to come",
        {**ENTRY, **ROUNDS},
        lambda state, o, hand: organising.excuse(state, o["entry"], o["rounds"], hand),
    ),
    "forbid": ("two entries are not to meet", PAIR, _on_pair(organising.forbid)),
    "exchange": ("two entries of the drafted round change places", PAIR, _on_pair(organising.exchange)),
    "invite": (
        "an author may enter a league that is for those who were invited",
        {"author": {}},
        lambda state, o, hand: organising.invite(state, o["author"], hand),
    ),
    "release": (
        "everybody sees the replays of a round, or with 0 all",
        {"round": {"type": int}},
        lambda state, o, hand: organising.release(state, o["round"], hand),
    ),
    "announce": (
        "everybody is told something, on the league's page",
        {"text": {}},
        lambda state, o, hand: organising.announce(state, o["text"], hand),
    ),
    "pause": ("no round begins", {}, lambda state, _, hand: organising.pause(state, hand)),
    "resume": ("rounds begin again", {}, lambda state, _, hand: organising.resume(state, hand)),
    "extend": (
        "the stage that is played has so many rounds",
        {"rounds": {"type": int}},
        lambda state, o, hand: organising.extend(state, o["rounds"], hand),
    ),
    "overrule": (
        "a match counts with other places",
        {**MATCH, **PLACES},
        lambda state, o, hand: organising.overrule(state, o["key"], o["places"], hand),
    ),
    "void": (
        "a match counts for nobody",
        MATCH,
        lambda state, o, hand: organising.void(state, o["key"], o["match"], hand),
    ),
}
"""What can be done: what it is, what must be told, and the deed."""
DRAFTS = {
    "begin": ("begin the drafted round", services.begin_round),
    "redraft": ("draft the round again, with new luck", services.redraft_round),
}


def decide(league: League, verb: str, told: dict[str, Any], hand: Hand) -> Callable[[LeagueState], Act]:
    """Return the deed of a verb with what was told, as `services.act` takes it; raises NotNow for an unknown match."""
    _, words, deed = DEEDS[verb]
    more = {"key": find_table(league.pk, told["match"])} if "match" in words else {}
    return lambda state: deed(state, {**told, **more}, hand)


def perform(league: League, verb: str, told: dict[str, Any], hand: Hand) -> None:
    """Do it; raises NotNow, with nothing done, when it cannot be."""
    if verb in DRAFTS:
        DRAFTS[verb][1](league.pk)
    else:
        services.act(league.pk, decide(league, verb, told, hand))
