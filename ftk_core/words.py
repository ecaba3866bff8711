"""Sentences for facts and labels for pieces: one catalogue per game, in every supported language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from ftk_core.facts import Fact, kind_of
from ftk_core.scene import Piece, Scene, Zone

Templates = Mapping[str, Mapping[str, str]]
"""Language tag -> kind of fact -> template such as ``"{seat} rolls a {face}."``"""
Show = Callable[[Any, Sequence[str], str], str]
"""(value of the field, names by seat, language) -> its text."""

LANGUAGES = ("en", "zh-Hant")
ENTRIES: Templates = {
    "en": {
        "opened": "{title}: {players}",
        "closed": "{ranking}",
        "ranked": "{place}. {name} ({score})",
        "voided": "Void: {reason}",
    },
    "zh-Hant": {
        "opened": "{title}：{players}",
        "closed": "{ranking}",
        "ranked": "第 {place} 名 {name}（{score}）",
        "voided": "本局作廢：{reason}",
    },
}
"""Sentences for entries that are not facts of a game."""
KEPT = 1024
"""Number of zones cached per language: consecutive pictures of a match hardly differ."""

_FIGURE = re.compile(r"\d+")
_JOINTS = {", ": "、", "; ": "；"}


def seat_name(value: Any, names: Sequence[str], _language: str) -> str:
    """Return the name of the player in a seat."""
    return str(names[value])


def sayer(templates: Templates, shows: Mapping[str, Show]) -> Callable[[Fact, Sequence[str], str], str]:
    """Build the `Game.say` of a catalogue; `shows` maps a field name to the function that formats its value.

    An unknown language falls back to English. A missing template raises KeyError; a test checks that no game has one.
    """

    def say(fact: Fact, names: Sequence[str], language: str) -> str:
        catalogue = templates.get(language, templates["en"])
        fields = {
            field: shows[field](getattr(fact, field), names, language) if field in shows else getattr(fact, field)
            for field in fact.__struct_fields__
        }
        return catalogue[kind_of(type(fact).__name__)].format(**fields)

    return say


def listed(words: Iterable[str], language: str) -> str:
    """Join words into a list as it is read aloud."""
    return ("、" if language == "zh-Hant" else ", ").join(words)


def label_in(text: str, labels: Mapping[str, str]) -> str:
    """Translate a label of a picture; a label missing in the catalogue stays as it is."""
    if text in labels:
        return labels[text]
    figures = iter(_FIGURE.findall(text))
    pattern = _FIGURE.sub("#", text)
    if pattern in labels:
        return re.sub("#", lambda _: next(figures), labels[pattern])
    parts = re.split("(, |; )", text)
    return "".join(_JOINTS.get(part) or label_in(part, labels) for part in parts) if len(parts) > 1 else text


def about_piece(piece: Piece, about: Mapping[str, str]) -> list[str]:
    """Return the explanations of a piece: by its tags, else by its kind or that it lies face down."""
    told = [about[tag] for tag in piece.tags if tag in about]
    other = piece.kind if piece.face else "hidden"
    return told or ([about[other]] if other in about else [])


def relabeller(labels: Mapping[str, str]) -> Callable[[Scene], Scene]:
    """Build a function that replaces the English labels in a drawing of the table by others, if there are any."""

    def piece(old: Piece) -> Piece:
        return replace(old, label=label_in(old.label, labels))

    @lru_cache(KEPT)
    def zone(old: Zone) -> Zone:
        pieces = tuple(piece(lying) for lying in old.pieces)
        return replace(old, label=label_in(old.label, labels), note=label_in(old.note, labels), pieces=pieces)

    def relabel(scene: Scene) -> Scene:
        meters = tuple(replace(meter, label=label_in(meter.label, labels)) for meter in scene.meters)
        return replace(scene, zones=tuple(zone(old) for old in scene.zones), meters=meters) if labels else scene

    return relabel
