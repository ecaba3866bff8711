"""A round's certificate in a sentence, for those who would rather read than count."""

from __future__ import annotations

from ftk_core.league.plans import Weighed

HOW = {"counting": "by counting", "matching": "by a proof that goes with the round"}


def read_aloud(weighed: Weighed | None) -> str:
    """Return what a round weighed, in words; empty for a round from before there were certificates."""
    if weighed is None:
        return ""
    said = [_repeats(weighed), _floaters(weighed.floaters)]
    if weighed.siblings:
        said.append(f"{_count(weighed.siblings, 'pair')} of one author could not be kept apart.")
    said.append(_seats(weighed.seats))
    if weighed.rested:
        said.append(f"Whoever rests had rested {_count(weighed.rested, 'time')} at most.")
    return " ".join(said)


def _repeats(weighed: Weighed) -> str:
    if not weighed.repeats:
        return "All meet for the first time."
    met = f"{_count(weighed.repeats, 'pair')} met before"
    if weighed.repeats == weighed.fewest:
        return f"{met}, and fewer is impossible, as is known {HOW[weighed.known]}."
    if not weighed.fewest:
        return f"{met}; whether fewer had to is not known."
    return f"{met}; at least {weighed.fewest} had to, as is known {HOW[weighed.known]}."


def _floaters(floaters: int) -> str:
    if not floaters:
        return "Everybody sits with equals."
    return f"{_count(floaters, 'bot')} at a table where somebody has more points."


def _seats(most: int) -> str:
    if not most:
        return "Everybody has had each seat equally often."
    return f"Nobody has had one seat more than {_count(most, 'time')} more often than another."


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"
