"""No fact can be changed, removed, doubled, moved or inserted without a flaw or a line in the report."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from random import Random
from typing import get_args

import pytest

from ftk_core.league.league_facts import Act
from tests.support.auditing.law import LISTED, REFUSED, SAME, SILENT, MutationCheck, list_mutations
from tests.support.auditing.league_wide import KINDS, play_league_of_kind
from tests.support.auditing.mutating import LEFT_OUT, Mutation
from tests.support.lengths import short_or_long

ACTS = {kind.__name__ for kind in get_args(Act)}
INVISIBLE = {
    ("", "at"): "when something was done moves no result; times that run backwards are told",
    ("AnnouncementMade", ""): "words to everybody move no result",
    (
        "LeagueOpened",
        "",
    ): "terms on which nothing hung: the organiser's choice, public before anybody enters",
    ("BotEntered", "by"): "which of a bot's authors, or who of the arena, typed the entry in",
    ("BotEntered", "author"): "whose bot it is, where no term and no pairing looked at authors",
    ("BotEntered", LEFT_OUT): "a bot that entered last and never sat at a table",
    ("cancelled BotEntered", "name"): "the name of a bot in a league that was cancelled before anybody played",
    ("BotEntered", "newest"): "a wish that nothing came of",
    ("BotEntered", "version"): "the arena's own number of a bot version, whose name and author stand beside it",
    (
        "acts",
        LEFT_OUT,
    ): "an act on which nothing hung: without it a league is as lawful, but not as signed",
}
"""Changes that replaying cannot detect, by kind of fact (of any league, or of one kind) and field, with the reason.

An empty kind or field means all of them.
"""
LEAGUES, SAMPLE = short_or_long(1, 5), short_or_long(8, 100_000)


def draw_mutations(every: list[Mutation], draw: Random) -> list[Mutation]:
    """Return all mutations, or `SAMPLE` mutations of different fields; most fields are those of results."""
    if len(every) <= SAMPLE:
        return every
    draw.shuffle(every)
    by_field = {(mutation.kind, mutation.what): mutation for mutation in every}
    return draw.sample(list(by_field.values()), min(SAMPLE, len(by_field)))


def is_invisible(name: str, mutation: Mutation) -> bool:
    kind, what = mutation.kind, mutation.what
    keys = {("", what), (kind, ""), (kind, what), (f"{name} {kind}", what), *([("acts", what)] if kind in ACTS else [])}
    return bool(keys & set(INVISIBLE))


@pytest.mark.parametrize("name", KINDS)
def test_the_audit_refuses_or_lists_each_manipulated_event_of_a_league(name: str) -> None:
    counts = defaultdict[str, Counter[str]](Counter)
    for seed in range(LEAGUES):
        run = play_league_of_kind(name, seed)
        if not run.league.closed:
            continue
        law, draw = MutationCheck(run), Random(seed)
        assert law.honest.flaws == ()
        for mutation in draw_mutations(list(list_mutations(law.facts, draw)), draw):
            became = law.outcome(mutation)
            counts[mutation.kind][became] += 1
            assert became != SILENT or is_invisible(name, mutation), (name, seed, *mutation[:3])
    for kind, found in sorted(counts.items()):
        became = ", ".join(f"{found[what]} {what}" for what in (REFUSED, LISTED, SAME, SILENT))
        sys.stdout.write(f"{name}, {kind}: {became}\n")
