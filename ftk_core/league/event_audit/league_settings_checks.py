"""Checks of the settings that a league announces, such as its rules and stages, and of the sizes in its events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from gettext import gettext

from ftk_core.league.event_fields import StageSettings
from ftk_core.league.formats import find_format, list_formats
from ftk_core.league.intervention_facts import LeagueExtended, ResultOverruled
from ftk_core.league.league_facts import (
    LEAGUE_RULES,
    BotEntered,
    LeagueFact,
    LeagueOpened,
    ResultRecorded,
    RoundClosed,
    RoundDrafted,
    RoundPaired,
    StageBegun,
)
from ftk_core.league.match_seating_and_random_seeds import is_deal_shared
from ftk_core.league.organiser_command_handlers import MAX_LEAGUE_ROUNDS

MAX_STAGE_ROUNDS, MAX_TABLE_GAMES, MAX_TABLE_SEATS = 100, 100, 64
"""Limits: rounds per stage, matches per table and round, seats per table."""
LIMITS = {"tries": (0, 100), "late": (0, 1000), "per_author": (0, 1000)}
"""Field of LeagueOpened -> (minimum, maximum) that a league may announce."""
FIRST_STAGE_FIELDS = ("format", "seats", "least", "games", "worth")
"""Fields that LeagueOpened and StageSettings share. In LeagueOpened they must equal the values of the first stage."""


def list_notes_on_rules(opened: LeagueOpened) -> Iterator[str]:
    """Yield a remark if a league follows an earlier version of the league rules, which protects it less."""
    if not opened.rules:
        yield gettext(
            "this league was announced before rounds could be reproduced: its rounds, results and"
            " signatures were checked, but NOT whether each round, entry and act follows by the league's"
            " rules from the facts before it"
        )
    elif opened.rules < LEAGUE_RULES:
        yield gettext(
            "this league follows version {rules} of the league rules, which protect it less; an arena announces version"
            " {newest} now"
        ).format(rules=opened.rules, newest=LEAGUE_RULES)


def flaws_of_terms(opened: LeagueOpened) -> Iterator[str]:
    """Yield a sentence for each flaw in the terms (settings) that a league announced when it opened."""
    if not 0 < opened.rules <= LEAGUE_RULES:
        yield f"entry 0 announces league rules {opened.rules}; install a copy that knows more than 1 to {LEAGUE_RULES}"
    yield from _flaws_of_limits(opened)
    if not opened.stages:
        yield "entry 0 announces a league without stages"
        return
    for name in FIRST_STAGE_FIELDS:
        announced, first = getattr(opened, name), getattr(opened.stages[0], name)
        if announced != first:
            yield f"entry 0 announces {name} {announced}, where its first stage has {first}"
    if opened.rounds != sum(stage.rounds for stage in opened.stages):
        yield f"entry 0 announces {opened.rounds} rounds, its stages have {[stage.rounds for stage in opened.stages]}"
    for number, stage in enumerate(opened.stages, 1):
        yield from (f"entry 0, stage {number}: {flaw}" for flaw in _flaws_of_a_stage(stage))


def _flaws_of_limits(opened: LeagueOpened) -> Iterator[str]:
    if not re.fullmatch(r"[0-9a-f]{64}", opened.luck):
        yield "entry 0 announces no hash chain, so its draws could be computed before entries closed"
    for name, (least, most) in LIMITS.items():
        if not least <= (value := getattr(opened, name)) <= most:
            yield f"entry 0 announces {name} {value}, outside of {least} to {most}"


def _flaws_of_a_stage(stage: StageSettings) -> Iterator[str]:
    if stage.format not in list_formats():
        yield f"there is no format {stage.format!r}"
    if not 2 <= stage.least <= stage.seats <= MAX_TABLE_SEATS:
        yield f"tables of {stage.least} to {stage.seats} cannot be; seats go from 2 to {MAX_TABLE_SEATS}"
    if not (0 <= stage.rounds <= MAX_STAGE_ROUNDS and 1 <= stage.games <= MAX_TABLE_GAMES):
        limits = f"{MAX_STAGE_ROUNDS} and {MAX_TABLE_GAMES}"
        yield f"{stage.rounds} rounds of {stage.games} matches cannot be; they go to {limits}"
    if stage.qualify < 0 or stage.groups < 1:
        yield f"{stage.qualify} qualifying entries in {stage.groups} groups cannot be"


def check_table_sizes(stages: Sequence[StageSettings]) -> None:
    """Raise ValueError for tables so large that checking them would take all memory."""
    for stage in stages:
        if not (1 <= stage.games <= MAX_TABLE_GAMES and 2 <= stage.seats <= MAX_TABLE_SEATS):
            raise ValueError(f"{stage.games} matches of {stage.seats} bots at a table cannot be")


def check_fact_sizes(facts: Iterable[LeagueFact]) -> None:
    """Raise ValueError for an event so large that checking it would take all memory, or never end."""
    for seq, fact in enumerate(facts):
        for flaw in _flaws_of_sizes(fact):
            raise ValueError(f"entry {seq}: {flaw}")


def _flaws_of_sizes(fact: LeagueFact) -> Iterator[str]:
    seats = max(_list_table_sizes(fact), default=0)
    if seats > MAX_TABLE_SEATS:
        yield f"a table of {seats} bots cannot be"
    rounds = fact.rounds if isinstance(fact, LeagueExtended) else fact.round if isinstance(fact, RoundClosed) else 0
    if rounds > MAX_LEAGUE_ROUNDS:
        yield f"{rounds} rounds cannot be"
    # a fraction with an exponent, such as 1e9999999999, has as many digits as the exponent says
    yield from (f"{points[:20]!r} points cannot be" for points in _list_points(fact) if "e" in points.lower())


def _list_table_sizes(fact: LeagueFact) -> list[int]:
    match fact:
        case RoundDrafted() | RoundPaired():
            return [len(table.seating) for table in fact.tables]
        case ResultRecorded():
            return [len(fact.seating), len(fact.places)]
        case ResultOverruled():
            return [len(fact.places)]
        case _:
            return []


def _list_points(fact: LeagueFact) -> list[str]:
    match fact:
        case RoundDrafted() | RoundPaired():
            return [rest.points for rest in fact.rests]
        case StageBegun():
            return [one.points for one in fact.entries]
        case BotEntered():
            return [fact.points]
        case _:
            return []


def flaws_of_unannounced_terms(opened: LeagueOpened) -> Iterator[str]:
    """Yield a sentence for each setting of a stage that a tournament server refuses when it opens a league."""
    # The league commands themselves accept these settings.
    # The arena announces the same under earlier versions of the rules, but some leagues may be older than its checks.
    for number, stage in enumerate(opened.stages if opened.rules >= 2 else (), 1):
        if stage.format in list_formats():
            yield from (f"entry 0, stage {number}: {flaw}" for flaw in _flaws_of_unannounced_stage_terms(number, stage))
        if is_deal_shared(stage) and opened.admits_outside_players:
            yield f"entry 0, stage {number}: remote bots and people remember a deal that the matches of a table share"


def _flaws_of_unannounced_stage_terms(number: int, stage: StageSettings) -> Iterator[str]:
    rules = find_format(stage.format)
    if number == 1 and stage.seeding == "entry" and not rules.keeps_entry_order:
        yield "the first stage is seeded in order of entry, so the order of entries decides the pairings"
    if rules.counted and not stage.rounds:
        yield f"the format {stage.format} needs a number of rounds"
    if stage.groups > 1 and not rules.groups_title:
        yield f"the format {stage.format} has no groups, and {stage.groups} are announced"
    if stage.scored == "blocks" and stage.deals == "fresh":
        yield "only matches that share their deal can be scored as blocks"
