"""Terms of a league in words, for its stages and in common."""

from __future__ import annotations

import json
from fractions import Fraction

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from ftk_core.games import game
from ftk_core.league import acts
from ftk_core.league.deals import is_shared
from ftk_core.league.facts import LeagueOpened
from ftk_core.league.plans import Stage
from tournaments.kinds import tell_kinds
from tournaments.league_overviews import Terms

WORTHS = {
    "places": gettext_noop("the share of the opponents left behind"),
    "wins": gettext_noop("1 to each winner"),
    "shared": gettext_noop("1, shared by the winners"),
}
RESTS = {"win": gettext_noop("as much as a win"), "half": gettext_noop("half a win"), "none": gettext_noop("nothing")}
SEEDINGS = {
    "lot": gettext_noop("drawn by lot"),
    "rating": gettext_noop("by court rating when it begins"),
    "entry": gettext_noop("in the order of entering, or of the stage before"),
}
CARRIED = {
    "none": gettext_noop("none; all begin with nothing"),
    "half": gettext_noop("half of them"),
    "all": gettext_noop("all of them"),
}
GRANTED = {
    "none": gettext_noop("nothing for the rounds before"),
    "half": gettext_noop("half a win for each match of the rounds before"),
    "mean": gettext_noop("as many points as the others have on average"),
}
RULINGS = {
    "replay": gettext_noop("played as often once more on another deal, and shared by all if that ends no match either"),
    "share": gettext_noop("shared by all"),
    "loss": gettext_noop("lost by whoever caused it, and shared by all where nobody did"),
}
RELEASES = {
    "at_once": gettext_noop("at once, while they are played"),
    "after_round": gettext_noop("once their round is over"),
    "after_league": gettext_noop("once the league is over"),
}
SHARED = gettext_noop("once the last match of their table has ended, as these share a deal")
"""Release of replays at tables that share a deal, under the term `at_once`."""
RULED = {
    "share": gettext_noop("all share it"),
    "loss": gettext_noop("whoever caused that lost it"),
    "replay": gettext_noop("it is played on another deal"),
}
CHANGED: dict[type, tuple[str, str]] = {
    acts.BotWithdrew: (gettext_noop("paired"), gettext_noop("not paired any more")),
    acts.BotReturned: (gettext_noop("not paired"), gettext_noop("paired again")),
    acts.BotDisqualified: (
        gettext_noop("paired, and placed by its points"),
        gettext_noop("not paired, and behind all others"),
    ),
    acts.MeetingForbidden: (gettext_noop("they could meet"), gettext_noop("they are not paired together")),
    acts.AuthorInvited: (gettext_noop("could not enter"), gettext_noop("may enter")),
}
"""State before and after an act, by type of act, if it is always the same."""
WHY = {
    "odd": gettext_noop("the numbers do not come out even"),
    "absent": gettext_noop("asked to be left out"),
    "seeded": gettext_noop("the seed spares this round"),
    "alone": gettext_noop("whom it was to meet is gone"),
}
"""Reasons for a rest."""


def name_format(stage: Stage) -> str:
    """Return the name of a stage's format."""
    return _(stage.format.replace("_", " ").capitalize())


def tell_stage(stage: Stage) -> Terms:
    """Return the main terms of a stage."""
    return [
        (_("Format"), name_format(stage)),
        (_("Table"), ngettext("%(count)s seat", "%(count)s seats", stage.seats) % {"count": stage.seats}),
        (_("Matches per table"), str(stage.games) + _(", the seats turning") * (stage.games > 1)),
    ]


def tell_more_of_stage(stage: Stage, number: int) -> Terms:
    """Return the further terms of a stage, given its number."""
    if is_shared(stage):
        deals = _("the matches of a table share their deal and can be watched once the last of them has ended")
    else:
        deals = _("each match has a deal of its own")
    if stage.scored == "blocks":
        deals += _(" and count together as one")
    return [
        *_who(stage, number),
        (_("Seeds"), _(SEEDINGS[stage.seeding])),
        (_("Deals"), deals),
        (_("A rest gives"), _(RESTS[stage.rest])),
        (_("An absence gives"), _(RESTS[stage.absence])),
    ]


def _who(stage: Stage, number: int) -> Terms:
    told = [(_("Groups"), str(stage.groups))] if stage.format == "groups" else []
    told += (
        [(_("Challengers"), _("the first %(count)s") % {"count": stage.groups})] if stage.format == "gauntlet" else []
    )
    if number == 1:
        return told
    who = _("the first %(first)s of stage %(stage)s") if stage.qualify else _("all of stage %(stage)s")
    who %= {"first": stage.qualify, "stage": number - 1}
    return [(_("Who plays it"), who), (_("Points taken along"), _(CARRIED[stage.carry])), *told]


def tell_conditions(header: LeagueOpened) -> Terms:
    """Return the main terms common to all stages."""
    clock = _("%(move)s a move, %(bank)s in the bank")
    clock %= {"move": _seconds(header.move_ms), "bank": _seconds(header.bank_ms)}
    pace = _("; one choice every %(pace)s for those who watch") % {"pace": _seconds(header.pace_ms)}
    return [(_("Clock"), clock + (pace if header.pace_ms else "")), (_("Options"), _options(header))]


def tell_more(header: LeagueOpened) -> Terms:
    """Return the further terms common to all stages."""
    replays = ngettext(
        "played again %(tries)s time, then %(ruling)s", "played again %(tries)s times, then %(ruling)s", header.tries
    )
    replays %= {"tries": header.tries, "ruling": _(RULINGS[header.ruling])}
    late = _("until round %(round)s, for %(granted)s") % {"round": header.late, "granted": _(GRANTED[header.granted])}
    meet = _("%(count)s at most, which may meet at a table") if header.per_author != 1 else _("%(count)s at most")
    own = meet % {"count": header.per_author} if header.per_author else _("any number, which may meet at a table")
    return [
        (_("Void matches"), replays if header.tries else _("played again when the organiser says so")),
        (_("Who may enter"), "; ".join(tell_doors(header))),
        (_("Late entries"), late if header.late > 1 else _("none")),
        (_("Bots of an author"), own),
        (_("Replays are everybody's"), _(RELEASES[header.release])),
        (_("Rounds begin"), _("when the organiser has seen the draft") if header.held else _("by themselves")),
    ]


def tell_doors(header: LeagueOpened) -> list[str]:
    """Return the authors and the bots that may enter."""
    who = _("anybody") if header.who == "anybody" else _("authors whom the organiser invited")
    kinds = tell_kinds(header.kinds) if header.kinds else ""
    return [told for told in (who, kinds, tell_ratings(header), tell_languages(header)) if told]


def tell_ratings(header: LeagueOpened) -> str:
    """Return the court ratings that may enter, in words; empty if all may."""
    said = {
        (True, True): _("bots with a court rating from %(low)s to %(high)s"),
        (True, False): _("bots with a court rating of %(low)s or more"),
        (False, True): _("bots without a court rating, or with one of %(high)s at most"),
        (False, False): "",
    }
    return said[bool(header.rated_from), bool(header.rated_to)] % {"low": header.rated_from, "high": header.rated_to}


def tell_languages(header: LeagueOpened) -> str:
    """Return the programming languages that may enter, in words; empty if all may."""
    named = _(" or ").join(header.languages)
    return _("bots written in %(languages)s") % {"languages": named} if header.languages else ""


def tell_points(fraction: str) -> str:
    """Return an exact number of points with at most two decimals."""
    points = f"{float(Fraction(fraction)):.2f}".rstrip("0").rstrip(".")
    return ngettext("%(points)s point", "%(points)s points", 1 if points == "1" else 2) % {"points": points}


def _options(header: LeagueOpened) -> str:
    """Return the options that differ from the defaults."""
    usual = msgspec.to_builtins(game(header.game).options())
    changed = {name: value for name, value in json.loads(header.options or "{}").items() if value != usual.get(name)}
    told = "; ".join(f"{name}: {json.dumps(value).strip(chr(34))}" for name, value in changed.items())
    return told or _("as the rule book has it")


def _seconds(milliseconds: int) -> str:
    return _("%(seconds)s s") % {"seconds": f"{milliseconds / 1000:.1f}".removesuffix(".0")}
