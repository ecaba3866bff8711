"""Sentences for facts: one catalogue a game, a template for each kind of fact and language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ftk_core.facts import Fact, kind_of

Templates = Mapping[str, Mapping[str, str]]
"""Language tag -> kind of fact -> ``"{seat} rolls a {face}."``"""
Show = Callable[[Any, Sequence[str], str], str]
"""(value of the field, the seats' names, language) -> how it reads."""

LANGUAGES = ("en", "zh-Hant")


def seat_name(value: Any, names: Sequence[str], _language: str) -> str:
    """Return the name of whoever sits in a seat."""
    return str(names[value])


def sayer(templates: Templates, shows: Mapping[str, Show]) -> Callable[[Fact, Sequence[str], str], str]:
    """Return the `Game.say` of a catalogue; `shows` tells by field name how a value reads, else it reads as it is.

    An unknown language reads as English. A missing template raises KeyError: a law asks every game for all of them.
    """

    def say(fact: Fact, names: Sequence[str], language: str) -> str:
        catalogue = templates.get(language, templates["en"])
        fields = {
            field: shows[field](getattr(fact, field), names, language) if field in shows else getattr(fact, field)
            for field in fact.__struct_fields__
        }
        return catalogue[kind_of(type(fact).__name__)].format(**fields)

    return say
