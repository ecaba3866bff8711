"""Independent check of a league's rounds: legal pairing, true certificates, and revealed randomness.

It recounts everything from the facts with its own code and imports nothing of the pairing. Lower bounds on repeats are
proved instead of searched: by counting, or by the witness in a certificate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ftk_core.league.checking.fixed import flaws_of_a_fixed_round
from ftk_core.league.checking.luck import flaws_of_luck
from ftk_core.league.checking.past import Past
from ftk_core.league.checking.stages import flaws_of_a_beginning, flaws_of_an_end
from ftk_core.league.checking.swiss import flaws_of_a_swiss_round
from ftk_core.league.checking.weights import flaws_of_a_certificate
from ftk_core.league.facts import LeagueFact, LeagueOpened, RoundDrafted, RoundPaired, StageBegun, StageEnded

__all__ = ["flaws"]


def flaws(facts: Iterable[LeagueFact], *, certificates_alone: bool = False) -> Iterator[str]:
    """Yield a sentence for each flaw in a league's stages and rounds.

    With `certificates_alone`, only certificates are checked, for leagues whose rounds are drawn again anyway.
    """
    past: Past | None = None
    for fact in facts:
        if past is None:
            if not isinstance(fact, LeagueOpened):
                yield "the stream does not begin with an opened league"
                return
            past = Past(opened=fact)
            continue
        if not certificates_alone:
            yield from _flaws_of(past, fact)
        elif isinstance(fact, RoundPaired) and fact.weighed is not None:
            yield from (f"round {fact.round}: {flaw}" for flaw in flaws_of_a_certificate(past, fact, fact.weighed))
        past.count(fact)


def _flaws_of(past: Past, fact: LeagueFact) -> Iterator[str]:
    match fact:
        case StageBegun():
            found = flaws_of_a_beginning(past, fact)
        case StageEnded():
            found = flaws_of_an_end(past, fact)
        case RoundDrafted():
            found = flaws_of_luck(past, fact)
        case RoundPaired():
            found = _flaws_of_a_round(past, fact)
        case _:
            return
    what = f"stage {fact.stage}" if isinstance(fact, StageBegun | StageEnded) else f"round {fact.round}"
    yield from (f"{what}: {flaw}" for flaw in found)


def _flaws_of_a_round(past: Past, drawn: RoundPaired) -> Iterator[str]:
    yield from flaws_of_luck(past, drawn)
    check = flaws_of_a_swiss_round if past.stage.format == "swiss" else flaws_of_a_fixed_round
    yield from check(past, drawn)
