"""Independent check of a league's pairings and random draws, from its events alone."""
# A pairing certificate states counts of a round, such as repeated meetings. The check computes everything again from
# the events and imports nothing from the pairing. It does not search for the best pairing: it proves a lower bound on
# the repeated meetings and reports an exchange of two bots that would reduce them.

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from ftk_core.league.league_facts import LeagueFact, LeagueOpened, RoundDrafted, RoundPaired, StageBegun, StageEnded
from ftk_core.league.pairing_checks.hash_chain_check import flaws_of_hash_chain
from ftk_core.league.pairing_checks.league_format_rules import flaws_of_a_round
from ftk_core.league.pairing_checks.league_history import LeagueHistory
from ftk_core.league.pairing_checks.pairing_quality_certificate_check import flaws_of_a_certificate
from ftk_core.league.pairing_checks.stage_boundary_checks import flaws_of_a_beginning, flaws_of_an_end

__all__ = ["flaws"]


def flaws(facts: Iterable[LeagueFact], *, certificates_alone: bool = False) -> Iterator[str]:
    """Yield a sentence for each flaw in a league's stages and rounds.

    If `certificates_alone` is True, check only the published counts on the quality of pairings.
    """
    # This is enough for callers that also draw all rounds again.
    past: LeagueHistory | None = None
    for fact in facts:
        if past is None:
            if not isinstance(fact, LeagueOpened):
                yield "the stream does not begin with an opened league"
                return
            past = LeagueHistory(opened=fact)
            continue
        if not certificates_alone:
            yield from _flaws_of(past, fact)
        elif isinstance(fact, RoundPaired) and fact.weighed is not None:
            yield from (f"round {fact.round}: {flaw}" for flaw in flaws_of_a_certificate(past, fact, fact.weighed))
        past.count(fact)


def _flaws_of(past: LeagueHistory, fact: LeagueFact) -> Iterator[str]:
    match fact:
        case StageBegun():
            flaws_found = flaws_of_a_beginning(past, fact)
        case StageEnded():
            flaws_found = flaws_of_an_end(past, fact)
        case RoundDrafted():
            flaws_found = flaws_of_hash_chain(past, fact)
        case RoundPaired():
            flaws_found = chain(flaws_of_hash_chain(past, fact), flaws_of_a_round(past, fact))
        case _:
            return
    subject = f"stage {fact.stage}" if isinstance(fact, StageBegun | StageEnded) else f"round {fact.round}"
    yield from (f"{subject}: {flaw}" for flaw in flaws_found)
