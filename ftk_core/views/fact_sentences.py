"""Sentences for events of a game and labels of its pieces, in all languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ftk_core.facts import Fact, tag_of
from ftk_core.i18n import Catalogue, Texts
from ftk_core.views.scene import ScenePiece, SceneZone, SeatComparison, TableScene

FormatField = Callable[[Any, Sequence[str], str], str]
"""(value of a fact's field, player names by seat, language) -> text that a sentence shows for the value."""

CATALOGUE = Catalogue(Path(__file__).parent)
ENTRIES = CATALOGUE.texts(
    {
        "opened": "{title}: {players}",
        "closed": "{ranking}",
        "ranked": "{place}. {name} ({score})",
        "voided": "Void: {reason}",
        "place": "Place",
        "heading_opened": "The beginning",
        "heading_closed": "The end",
        "heading_voided": "The end",
    }
)
"""Sentences for log entries that are not facts of a game."""
SEPARATORS = CATALOGUE.labels((", ", "; ", ": "))
"""Separators in lists and after headings, which differ between languages."""
MAX_CACHED_ZONES = 1024
"""Size of each cache of translated parts of a picture. Consecutive pictures of a match share most parts."""

_DIGITS = re.compile(r"\d+")
_SEAT_REFERENCES = re.compile(r"@(\d+)")


def seat_name(value: Any, names: Sequence[str], _language: str) -> str:
    """Return the name of the player in a seat."""
    return str(names[value])


def sentence_builder(templates: Texts, shows: Mapping[str, FormatField]) -> Callable[[Fact, Sequence[str], str], str]:
    """Build the function `Game.say` from sentence templates. It describes an event by a sentence.

    `templates` returns the templates of a language by kind of event, such as ``{seat} rolls a {face}.``. `shows` maps
    a field such as ``seat`` to the function that formats it. `Game.say` raises KeyError if the template is missing.
    """

    def say(fact: Fact, names: Sequence[str], language: str) -> str:
        fields = {
            field: shows[field](getattr(fact, field), names, language) if field in shows else getattr(fact, field)
            for field in fact.__struct_fields__
        }
        return templates(language)[tag_of(type(fact))].format(**fields)

    return say


def heading_builder(templates: Texts, shows: Mapping[str, FormatField]) -> Callable[[Fact, Sequence[str], str], str]:
    """Build the function `Game.heading` from templates. It returns the heading for an event.

    The heading is empty for a kind of event without a template. `shows` maps a field to the function that formats it.
    """
    say = sentence_builder(templates, shows)

    def heading(fact: Fact, names: Sequence[str], language: str) -> str:
        return say(fact, names, language) if tag_of(type(fact)) in templates(language) else ""

    return heading


def join_list(items: Iterable[str], language: str) -> str:
    """Join words into a list with the separator of the language."""
    return SEPARATORS(language)[", "].join(items)


def translate_label(text: str, labels: Mapping[str, str]) -> str:
    """Translate an English label of a picture with a dict of translations; unknown parts stay English.

    A ``#`` in a key matches any number. If no key matches the label, the parts between its semicolons are translated
    separately. Without semicolons, the label is split at its commas, and without commas, at its colons.
    """
    if text in labels:
        return labels[text]
    figures = iter(_DIGITS.findall(text))
    pattern = _DIGITS.sub("#", text)
    if pattern in labels:
        return re.sub("#", lambda _: next(figures), labels[pattern])
    separator = next((each for each in ("; ", ", ", ": ") if each in text), "")
    if not separator:
        return text
    parts = [translate_label(part, labels) for part in text.split(separator)]
    return labels.get(separator, separator).join(parts)


def name_seats(text: str, names: Sequence[str]) -> str:
    """Replace each ``@2`` in a label by the name of the player in seat 2. Shared names get a number.

    >>> name_seats("contradicts @1", ("ada", "ben"))
    'contradicts ben'
    >>> name_seats("@0 leads by 3", ("ada", "ada"))
    'ada (1) leads by 3'
    """

    def name(reference: re.Match[str]) -> str:
        seat = int(reference[1])
        return f"{names[seat]} ({seat + 1})" if names.count(names[seat]) > 1 else names[seat]

    return _SEAT_REFERENCES.sub(name, text)


def label_translator(
    texts: Mapping[str, str], language: str, names: Sequence[str] = ()
) -> Callable[[TableScene], TableScene]:
    """Build a function that translates the labels in a picture and inserts the players' names.

    `texts` maps English labels to translations. Without `names`, references to players such as ``@2`` remain.
    """
    changed = {english: text for english, text in texts.items() if english != text}
    labels = {**SEPARATORS(language), **changed}

    def read(text: str) -> str:
        translated = translate_label(text, labels) if changed else text
        return name_seats(translated, names) if names else translated

    def piece(old: ScenePiece) -> ScenePiece:
        return replace(old, label=read(old.label))

    @lru_cache(MAX_CACHED_ZONES)
    def zone(old: SceneZone) -> SceneZone:
        pieces = tuple(piece(lying) for lying in old.pieces)
        return replace(old, label=read(old.label), note=read(old.note), pieces=pieces)

    def translate_fields(old: Any, *fields: str) -> Any:
        return replace(old, **{field: read(getattr(old, field)) for field in fields})

    @lru_cache(MAX_CACHED_ZONES)
    def contest(old: SeatComparison) -> SeatComparison:
        entries = tuple(translate_fields(entry, "label", "value", "note") for entry in old.entries)
        renamed: SeatComparison = translate_fields(old, "title", "about", "verdict")
        return replace(renamed, entries=entries)

    def relabel(scene: TableScene) -> TableScene:
        meters = tuple(replace(meter, label=read(meter.label)) for meter in scene.meters)
        contests = tuple(contest(old) for old in scene.contests)
        return replace(scene, zones=tuple(zone(old) for old in scene.zones), meters=meters, contests=contests)

    return relabel if changed or names else lambda scene: scene
