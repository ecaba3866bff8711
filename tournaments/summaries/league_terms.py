"""Descriptions of a league's terms (settings) as texts."""

from __future__ import annotations

import json
from fractions import Fraction

import msgspec
from django.utils.translation import gettext as _, gettext_noop, ngettext

from foundation.time_control_fields import describe_clock, format_seconds
from ftk_core.games import list_games
from ftk_core.league.entry_and_qualification_rules import last_late_round
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.formats import list_formats
from ftk_core.league.league_facts import LeagueOpened
from ftk_core.league.match_seating_and_random_seeds import is_deal_shared
from ftk_core.log_entries import TimeControl
from tournaments.league_player_kinds import describe_kinds
from tournaments.summaries.league_overviews import TermList

WORTH_NAMES = {
    "places": gettext_noop("the share of opponents that a bot finishes ahead of"),
    "wins": gettext_noop("1 to each winner"),
    "shared": gettext_noop("1, shared by the winners"),
}
REST_NAMES = {
    "win": gettext_noop("as much as a win"),
    "half": gettext_noop("half a win"),
    "none": gettext_noop("nothing"),
}
SEEDING_NAMES = {
    "lot": gettext_noop("drawn by lot"),
    "rating": gettext_noop("by court rating when it begins"),
    "entry": gettext_noop("in the order of entering, or of the stage before"),
}
CARRY_NAMES = {
    "none": gettext_noop("none; all begin with nothing"),
    "half": gettext_noop("half of them"),
    "all": gettext_noop("all of them"),
}
GRANTED_NAMES = {
    "none": gettext_noop("nothing for the rounds before"),
    "half": gettext_noop("half a win for each match of the rounds before"),
    "mean": gettext_noop("as many points as the others have on average"),
}
RULING_NAMES = {
    "replay": gettext_noop("as many further attempts on another deal, then shared by all"),
    "share": gettext_noop("shared by all"),
    "loss": gettext_noop("lost by the bot at fault, or shared by all if none was"),
}
RELEASE_NAMES = {
    "at_once": gettext_noop("at once, while they are played"),
    "after_round": gettext_noop("once their round is over"),
    "after_league": gettext_noop("once the league is over"),
}
SHARED_DEAL_RELEASE = gettext_noop("once the last match of their table has ended, as these share a deal")
"""Text for the time at which replays become public if the matches of a table share a deal (random setup)."""
REST_REASONS = {
    "odd": gettext_noop("the number of entries does not fill all tables"),
    "absent": gettext_noop("excused by an organiser"),
    "seeded": gettext_noop("its place in the seeding gives it a bye"),
    "alone": gettext_noop("it has nobody left to meet"),
}
"""Texts by code for the reason why an entry has a bye (plays no match in a round)."""


def name_format(stage: StageSettings) -> str:
    """Return the display name of a stage's format, such as "Knockout"."""
    return _(stage.format.replace("_", " ").capitalize())


def describe_stage(stage: StageSettings) -> TermList:
    """Return the most important terms (settings) of a stage in words."""
    return [
        (_("Format"), name_format(stage)),
        (_("Table"), ngettext("%(count)s seat", "%(count)s seats", stage.seats) % {"count": stage.seats}),
        (_("Matches per table"), str(stage.games) + _(", the seats turning") * (stage.games > 1)),
    ]


def describe_further_stage_terms(stage: StageSettings, number: int) -> TermList:
    """Return the less important terms (settings) of a stage in words. `number` is its number, from 1."""
    if is_deal_shared(stage):
        deals = _("the matches of a table share their deal and can be watched once the last of them has ended")
    else:
        deals = _("each match has a deal of its own")
    if stage.scored == "blocks":
        deals += _(" and count together as one")
    return [
        *_describe_field(stage, number),
        (_("Seeds"), _(SEEDING_NAMES[stage.seeding])),
        (_("Deals"), deals),
        (_("Points for a bye"), _(REST_NAMES[stage.rest])),
        (_("Points for an absence"), _(REST_NAMES[stage.absence])),
    ]


def _describe_field(stage: StageSettings, number: int) -> TermList:
    terms = []
    if (form := list_formats().get(stage.format)) and form.groups_title:
        number_text = _(form.groups_text) % {"count": stage.groups} if form.groups_text else str(stage.groups)
        terms.append((_(form.groups_title), number_text))
    if number == 1:
        return terms
    entries = _("the first %(first)s of stage %(stage)s") if stage.qualify else _("all of stage %(stage)s")
    entries %= {"first": stage.qualify, "stage": number - 1}
    return [(_("Who plays it"), entries), (_("Points taken along"), _(CARRY_NAMES[stage.carry])), *terms]


def describe_common_terms(header: LeagueOpened) -> TermList:
    """Return the most important terms (settings) that apply to all stages of a league, in words."""
    clock = describe_clock(TimeControl.of(header))
    pace = _("; one choice every %(pace)s for those who watch") % {"pace": format_seconds(header.pace_ms)}
    return [(_("Clock"), clock + (pace if header.pace_ms else "")), (_("Options"), _describe_options(header))]


def describe_further_terms(header: LeagueOpened) -> TermList:
    """Return the less important terms (settings) that apply to all stages of a league, in words."""
    replays = ngettext(
        "played again %(tries)s time, then %(ruling)s", "played again %(tries)s times, then %(ruling)s", header.tries
    )
    replays %= {"tries": header.tries, "ruling": _(RULING_NAMES[header.ruling])}
    late = _("until round %(round)s, for %(granted)s") % {
        "round": last_late_round(header),
        "granted": _(GRANTED_NAMES[header.granted]),
    }
    limit_pattern = (
        _("%(count)s at most, which may meet at a table") if header.per_author != 1 else _("%(count)s at most")
    )
    bots_per_author = (
        limit_pattern % {"count": header.per_author}
        if header.per_author
        else _("any number, which may meet at a table")
    )
    return [
        (_("Void matches"), replays if header.tries else _("played again when the organiser says so")),
        (_("Who may enter"), "; ".join(describe_admission(header))),
        (_("Late entries"), late if header.late > 1 else _("none")),
        (_("Bots of an author"), bots_per_author),
        (_("Replays become public"), _(RELEASE_NAMES[header.release])),
        (_("Rounds begin"), _("when the organiser has seen the draft") if header.held else _("by themselves")),
    ]


def describe_admission(header: LeagueOpened) -> list[str]:
    """Return the entry conditions of a league as texts."""
    authors = _("anybody") if header.who == "anybody" else _("authors whom the organiser invited")
    kinds = describe_kinds(header.kinds) if header.kinds else ""
    return [
        condition for condition in (authors, kinds, describe_ratings(header), describe_languages(header)) if condition
    ]


def describe_ratings(header: LeagueOpened) -> str:
    """Return a text about the rating that bots need to enter; empty without such a condition."""
    patterns = {
        (True, True): _("bots with a court rating from %(low)s to %(high)s"),
        (True, False): _("bots with a court rating of %(low)s or more"),
        (False, True): _("bots without a court rating, or with one of %(high)s at most"),
        (False, False): "",
    }
    return patterns[bool(header.rated_from), bool(header.rated_to)] % {
        "low": header.rated_from,
        "high": header.rated_to,
    }


def describe_languages(header: LeagueOpened) -> str:
    """Return a text about the programming languages of bots that may enter; empty if all may."""
    named = _(" or ").join(header.languages)
    return _("bots written in %(languages)s") % {"languages": named} if header.languages else ""


def describe_points(fraction: str) -> str:
    """Return a text such as "2.5 points" for a fraction such as "5/2"."""
    points = f"{float(Fraction(fraction)):.2f}".rstrip("0").rstrip(".")
    return ngettext("%(points)s point", "%(points)s points", 1 if points == "1" else 2) % {"points": points}


def _describe_options(header: LeagueOpened) -> str:
    """Return a text about the game options that differ from the defaults."""
    rules = list_games().get(header.game)
    defaults = msgspec.to_builtins(rules.options()) if rules else {}
    changed = {name: value for name, value in json.loads(header.options or "{}").items() if value != defaults.get(name)}
    options_text = "; ".join(f"{name}: {json.dumps(value).strip(chr(34))}" for name, value in changed.items())
    return options_text or _("as in the rule book")
