"""What a league was announced with, in words: the terms of its stages, and what holds in all of them."""

from __future__ import annotations

import json
from fractions import Fraction

import msgspec

from ftk_core.games import game
from ftk_core.league.facts import LeagueOpened
from ftk_core.league.plans import Stage
from tournaments.kinds import tell_kinds
from tournaments.league_overviews import Terms

WORTHS = {
    "places": "the share of the opponents left behind",
    "wins": "1 to each winner",
    "shared": "1, shared by the winners",
}
RESTS = {"win": "as much as a win", "half": "half a win", "none": "nothing"}
CARRIED = {"none": "none; all begin with nothing", "half": "half of them", "all": "all of them"}
GRANTED = {
    "none": "nothing for the rounds before",
    "half": "half a win for each match of the rounds before",
    "mean": "as many points as the others have on average",
}
RULINGS = {
    "replay": "played as often once more on another deal, and shared by all if that ends no match either",
    "share": "shared by all",
    "loss": "lost by whoever caused it, and shared by all where nobody did",
}
RELEASES = {
    "at_once": "at once, while they are played",
    "after_round": "once their round is over",
    "after_league": "once the league is over",
}
WHY = {
    "odd": "the numbers do not come out even",
    "absent": "asked to be left out",
    "seeded": "the seed spares this round",
    "alone": "whom it was to meet is gone",
}
"""Why somebody rests."""


def name_format(stage: Stage) -> str:
    """Return how the format of a stage is called."""
    return stage.format.replace("_", " ").capitalize()


def tell_stage(stage: Stage) -> Terms:
    """Return what everybody wants to know of a stage."""
    return [
        ("Format", name_format(stage)),
        ("Table", _count(stage.seats, "seat")),
        ("Matches per table", f"{stage.games}{', the seats turning' * (stage.games > 1)}"),
    ]


def tell_more_of_stage(stage: Stage, number: int) -> Terms:
    """Return the rest of a stage's terms; it is the league's stage of that number."""
    deals = "the matches of a table share their deal" if stage.deals == "same" else "each match has a deal of its own"
    if stage.scored == "blocks":
        deals += " and count together as one"
    return [
        *_who(stage, number),
        ("Deals", deals),
        ("A rest gives", RESTS[stage.rest]),
        ("An absence gives", RESTS[stage.absence]),
    ]


def _who(stage: Stage, number: int) -> Terms:
    told = [("Groups", str(stage.groups))] if stage.format == "groups" else []
    told += [("Challengers", f"the first {stage.groups}")] if stage.format == "gauntlet" else []
    if number == 1:
        return told
    who = f"the first {stage.qualify} of stage {number - 1}" if stage.qualify else f"all of stage {number - 1}"
    return [("Who plays it", who), ("Points taken along", CARRIED[stage.carry]), *told]


def tell_conditions(header: LeagueOpened) -> Terms:
    """Return what everybody wants to know that holds in all stages."""
    clock = f"{_seconds(header.move_ms)} a move, {_seconds(header.bank_ms)} in the bank"
    pace = f"; one choice every {_seconds(header.pace_ms)} for those who watch" if header.pace_ms else ""
    return [("Clock", clock + pace), ("Options", _options(header))]


def tell_more(header: LeagueOpened) -> Terms:
    """Return the rest of what holds in all stages."""
    replays = f"played again {_count(header.tries, 'time')}, then {RULINGS[header.ruling]}"
    late = f"until round {header.late}, for {GRANTED[header.granted]}" if header.late > 1 else "none"
    return [
        ("Void matches", replays if header.tries else "played again when the organiser says so"),
        ("Who may enter", "; ".join(tell_doors(header))),
        ("Late entries", late),
        ("Bots of an author", f"{header.per_author} at most" if header.per_author else "any number"),
        ("Replays are everybody's", RELEASES[header.release]),
        ("Rounds begin", "when the organiser has seen the draft" if header.held else "by themselves"),
    ]


def tell_doors(header: LeagueOpened) -> list[str]:
    """Return whose bots may enter, and which."""
    who = "anybody" if header.who == "anybody" else "authors whom the organiser invited"
    kinds = tell_kinds(header.kinds) if header.kinds else ""
    return [told for told in (who, kinds, tell_ratings(header), tell_languages(header)) if told]


def tell_ratings(header: LeagueOpened) -> str:
    """Return which bots may enter by their court rating; empty where all may."""
    match bool(header.rated_from), bool(header.rated_to):
        case True, True:
            return f"bots with a court rating from {header.rated_from} to {header.rated_to}"
        case True, False:
            return f"bots with a court rating of {header.rated_from} or more"
        case False, True:
            return f"bots without a court rating, or with one of {header.rated_to} at most"
        case _:
            return ""


def tell_languages(header: LeagueOpened) -> str:
    """Return which bots may enter by what they are written in; empty where all may."""
    return f"bots written in {' or '.join(header.languages)}" if header.languages else ""


def tell_points(fraction: str) -> str:
    """Return an exact number of points with at most two decimals."""
    points = f"{float(Fraction(fraction)):.2f}".rstrip("0").rstrip(".")
    return f"{points} point{'s' * (points != '1')}"


def _options(header: LeagueOpened) -> str:
    """Return what is not as the rule book has it."""
    usual = msgspec.to_builtins(game(header.game).options())
    changed = {name: value for name, value in json.loads(header.options or "{}").items() if value != usual.get(name)}
    told = "; ".join(f"{name}: {json.dumps(value).strip(chr(34))}" for name, value in changed.items())
    return told or "as the rule book has it"


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.1f}".removesuffix(".0") + " s"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"
