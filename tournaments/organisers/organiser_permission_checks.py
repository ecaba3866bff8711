"""Permission checks for organisers' actions on a league. Refusals are stored, and the league's organisers see them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext, gettext_noop, override

from tournaments.models import League
from tournaments.models.organiser_roles import MAX_REFUSAL_CHARACTERS, Refusal
from tournaments.organisers.league_access_rights import ACT, may
from tournaments.organisers.organiser_actions import actions_by_verb
from tournaments.organisers.organiser_console import format_act

REFUSALS_EACH = 100
"""Number of refused acts that are stored for each person and league; older ones are deleted."""
NO_RIGHT = gettext_noop("only organisers of %(league)s do that")


class MissingRightError(Exception):
    """Raised if a person does not have the right to an action; the message gives the reason."""


def check_right(person: User, league: League, verb: str, told: dict[str, Any]) -> None:
    """Store a refusal and raise MissingRightError if the person has no right to the action `verb`."""
    act = actions_by_verb().get(verb)
    if not may(act.right if act else ACT, person, league):
        raise record_refusal(person, league, format_act(verb, told), NO_RIGHT)


def record_refusal(person: User, league: League, what: str, pattern: str, **words: str) -> MissingRightError:
    """Store the refusal of an action, and return a MissingRightError for the caller to raise.

    `what` describes the refused action. `pattern` is the reason, with placeholders for the values in `words`.
    """
    # The stored reason is in English, the message of the exception in the current language.
    words |= {"league": league.name}
    with override("en"):
        why = (gettext(pattern) % words)[:MAX_REFUSAL_CHARACTERS]
    Refusal.objects.create(league=league, person=person, what=what[:MAX_REFUSAL_CHARACTERS], why=why)
    kept = Refusal.objects.filter(league=league, person=person)
    kept.exclude(pk__in=kept.order_by("-pk").values("pk")[:REFUSALS_EACH]).delete()
    return MissingRightError(gettext(pattern) % words)
