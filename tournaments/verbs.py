"""Acts of organisers on a running league, by verb: from a shell, or by a proposal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_noop

from ftk_core.league import organising
from ftk_core.league.acts import Act
from ftk_core.league.facts import BotEntered
from ftk_core.league.organising import Hand
from ftk_core.league.state import LeagueState
from tournaments import ending, services, voids
from tournaments.entering import entry_by_hand
from tournaments.models import League
from tournaments.queries import find_table

ENTRY = {"entry": {"type": int}}
PAIR = {"one": {"type": int, "metavar": "entry"}, "other": {"type": int, "metavar": "entry"}}
MATCH: dict[str, dict[str, Any]] = {"match": {}}
BOT: dict[str, dict[str, Any]] = {"bot": {}}
ROUNDS = {"rounds": {"type": int, "nargs": "+", "metavar": "round"}}
PLACES = {"places": {"type": int, "nargs": "+", "metavar": "place", "help": "by seat, from 1"}}
Deed = Callable[[LeagueState, dict[str, Any], Hand], Act | BotEntered]


def _on_entry(act: Callable[[LeagueState, int, Hand], Act]) -> Deed:
    return lambda state, o, hand: act(state, o["entry"], hand)


def _on_pair(act: Callable[[LeagueState, int, int, Hand], Act]) -> Deed:
    return lambda state, o, hand: act(state, o["one"], o["other"], hand)


DEEDS: dict[str, tuple[str, dict[str, dict[str, Any]], Deed]] = {
    "withdraw": (gettext_noop("an entry is not paired any more"), ENTRY, _on_entry(organising.withdraw)),
    "return": (gettext_noop("an entry that withdrew is paired again"), ENTRY, _on_entry(organising.bring_back)),
    "disqualify": (
        gettext_noop("an entry stands behind all others and is not paired any more"),
        ENTRY,
        _on_entry(organising.disqualify),
    ),
    "excuse": (
        gettext_noop("an entry is absent from rounds to come"),
        {**ENTRY, **ROUNDS},
        lambda state, o, hand: organising.excuse(state, o["entry"], o["rounds"], hand),
    ),
    "enter": (
        gettext_noop("the newest active version of a bot enters, late if its league lets it"),
        BOT,
        lambda state, o, _: o["enter"](state),
    ),
    "forbid": (gettext_noop("two entries are not to meet"), PAIR, _on_pair(organising.forbid)),
    "exchange": (gettext_noop("two entries of the drafted round change places"), PAIR, _on_pair(organising.exchange)),
    "invite": (
        gettext_noop("an author may enter a league that is for those who were invited"),
        {"author": {}},
        lambda state, o, hand: organising.invite(state, o["author"], hand),
    ),
    "release": (
        gettext_noop("everybody sees the replays of a round, or with 0 all"),
        {"round": {"type": int}},
        lambda state, o, hand: organising.release(state, o["round"], hand),
    ),
    "announce": (
        gettext_noop("everybody is told something, on the league's page"),
        {"text": {}},
        lambda state, o, hand: organising.announce(state, o["text"], hand),
    ),
    "pause": (gettext_noop("no round begins"), {}, lambda state, _, hand: organising.pause(state, hand)),
    "resume": (gettext_noop("rounds begin again"), {}, lambda state, _, hand: organising.resume(state, hand)),
    "extend": (
        gettext_noop("the stage that is played has so many rounds"),
        {"rounds": {"type": int}},
        lambda state, o, hand: organising.extend(state, o["rounds"], hand),
    ),
    "overrule": (
        gettext_noop("a match counts with other places"),
        {**MATCH, **PLACES},
        lambda state, o, hand: organising.overrule(state, o["key"], o["places"], hand),
    ),
    "void": (
        gettext_noop("a match counts for nobody"),
        MATCH,
        lambda state, o, hand: organising.void(state, o["key"], o["match"], hand),
    ),
}
"""Acts by verb: description, arguments, and command."""
DRAFTS = {
    "start": (gettext_noop("pair the first round"), services.start),
    "begin": (gettext_noop("begin the drafted round"), services.begin_round),
}
COMPOUND: dict[str, tuple[str, dict[str, dict[str, Any]], Callable[[int, dict[str, Any], Hand], None]]] = {
    "again": (
        gettext_noop("a match of the round that is played counts for nobody and is played again"),
        MATCH,
        lambda league_id, told, hand: voids.void_and_play_again(league_id, told["match"], hand),
    ),
    "redraft": (
        gettext_noop("draft the round again, with new luck"),
        {},
        lambda league_id, _, hand: services.redraft_round(league_id, hand),
    ),
    "end": (
        gettext_noop("the stage that is played ends now, and matches that are still open are void"),
        {},
        lambda league_id, _, hand: ending.end(league_id, hand),
    ),
    "close": (
        gettext_noop("the league is closed now, and matches that are still open are void"),
        {},
        lambda league_id, _, hand: ending.end_league(league_id, hand),
    ),
}
"""Acts that consist of more than one fact."""


def list_fitting(state: LeagueState) -> list[str]:
    """Return the verbs that are possible in the league's current state."""
    if state.closed:
        return []
    number = len(state.rounds)
    playing = state.playing > state.closed_rounds
    wrong = {
        "pause": state.paused,
        "resume": not state.paused,
        **dict.fromkeys(("extend", "end"), not state.begun or state.begun[-1].ended),
        "release": all(state.is_released(each) for each in range(1, number + 2)),
        "invite": state.header.who != "invited",
        "again": not playing,
        **dict.fromkeys(("void", "overrule"), not number),
        "start": state.begun,
        **dict.fromkeys(("begin", "redraft", "exchange"), state.draft is None),
    }
    return [verb for verb in (*DRAFTS, *DEEDS, *COMPOUND) if not wrong.get(verb)]


def decide(league: League, verb: str, told: dict[str, Any], hand: Hand) -> Callable[[LeagueState], Act | BotEntered]:
    """Return the command of a verb with its arguments, for `services.act`; raises NotNow for an unknown match."""
    _, words, deed = DEEDS[verb]
    more: dict[str, Any] = {"key": find_table(league.pk, told["match"])} if "match" in words else {}
    if "bot" in words:
        more["enter"] = entry_by_hand(league, told["bot"], hand)
    return lambda state: deed(state, {**told, **more}, hand)


def perform(league: League, verb: str, told: dict[str, Any], hand: Hand) -> None:
    """Execute an act; raises NotNow, without any effect, if it is impossible."""
    if verb in DRAFTS:
        DRAFTS[verb][1](league.pk)
    elif verb in COMPOUND:
        COMPOUND[verb][2](league.pk, told, hand)
    else:
        services.act(league.pk, decide(league, verb, told, hand))


def told_by_verb() -> dict[str, tuple[str, dict[str, dict[str, Any]]]]:
    """Return description and arguments of all acts, by verb."""
    return {verb: (what, {}) for verb, (what, _) in DRAFTS.items()} | {
        verb: row[:2] for table in (DEEDS, COMPOUND) for verb, row in table.items()
    }
