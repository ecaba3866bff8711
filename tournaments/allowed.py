"""Checks of the numbers and words in the terms of a league, with their error messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args, get_type_hints

from django.utils.translation import gettext, gettext_noop

from ftk_core.league.state import NotNow

SENTENCES = {  # beginnings of the messages for words that are not allowed
    "ruling": gettext_noop("of a match that was void too often cannot become"),
    "granted": gettext_noop("late entries cannot be given"),
    "who": gettext_noop("who may enter cannot be"),
    "release": gettext_noop("replays cannot be released"),
    "deals": gettext_noop("the matches of a table cannot have deals"),
    "scored": gettext_noop("the matches of a table cannot be scored as"),
    "worth": gettext_noop("a match cannot be worth"),
    "rest": gettext_noop("a rest cannot be worth"),
    "absence": gettext_noop("an absence cannot be worth"),
    "seeding": gettext_noop("a stage cannot be seeded by"),
    "carry": gettext_noop("of the points of the stage before cannot be carried"),
}


def check_numbers(*numbers: tuple[str, int, range]) -> None:
    """Raise NotNow for the first number that is outside its range, with its meaning."""
    for what, number, allowed in numbers:
        if number not in allowed:
            raise NotNow(
                gettext("%(what)s from %(least)s to %(most)s, not %(number)s")
                % {"what": what, "least": allowed[0], "most": allowed[-1], "number": number}
            )


def check_words(kind: type, value: object, names: Sequence[str]) -> None:
    """Raise NotNow for a field with a word that its literal type does not allow."""
    hints = get_type_hints(kind)
    for name in names:
        word, words = getattr(value, name), get_args(hints[name])
        if word not in words:
            raise NotNow(
                gettext("%(sentence)s %(word)r; it is one of %(words)s")
                % {"sentence": gettext(SENTENCES[name]), "word": word, "words": ", ".join(words)}
            )
