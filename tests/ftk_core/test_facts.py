"""Facts have one encoding, and their secret fields are shown to the holder only."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from typing import Annotated

import msgspec
import pytest

import ftk_core
from ftk_core.facts import NOBODY, OMNISCIENT, PUBLIC, Fact, SecretField, encode, kind_of, redact
from ftk_core.log_entries import MatchOpened


class NoteGiven(Fact, frozen=True):
    """A fact with two secrets: the taker knows the text, and nobody knows the number of the envelope."""

    giver: int
    taker: int
    text: Annotated[str | None, SecretField("taker")]
    envelope: Annotated[int | None, SecretField(NOBODY)]


class BellRung(Fact, frozen=True):
    """A fact without secrets."""

    times: int


NOTE = NoteGiven(0, 1, "zwölf", 7)


def test_a_secret_field_of_a_game_event_is_visible_only_to_the_player_who_holds_the_secret() -> None:
    assert [redact(NOTE, seat).text for seat in (PUBLIC, 0, 1, 2)] == [None, None, "zwölf", None]


def test_a_secret_that_no_seat_holds_is_visible_only_to_the_omniscient_viewer() -> None:
    assert [redact(NOTE, viewer).envelope for viewer in (PUBLIC, 0, 1, OMNISCIENT)] == [None, None, None, 7]


def test_the_omniscient_viewer_sees_a_game_event_unredacted() -> None:
    assert redact(NOTE, OMNISCIENT) is NOTE


def test_a_game_event_without_secret_fields_is_shown_unchanged_to_every_viewer() -> None:
    bell = BellRung(3)
    assert redact(bell, PUBLIC) is bell


def test_a_secret_that_names_the_public_viewer_as_its_holder_is_still_hidden_from_the_public() -> None:
    """The public viewer has the seat number -1."""
    assert redact(NoteGiven(0, PUBLIC, "text", 7), PUBLIC).text is None


def test_the_json_encoding_of_a_game_event_is_canonical() -> None:
    expected = '{"kind":"note_given","giver":0,"taker":1,"text":"zwölf","envelope":7}'.encode()
    assert encode(NOTE) == expected
    assert encode(msgspec.json.decode(expected, type=NoteGiven)) == expected


@pytest.mark.parametrize(
    ("name", "kind"), [("CardPlaced", "card_placed"), ("DieRolled", "die_rolled"), ("Hold", "hold")]
)
def test_the_kind_of_a_game_event_is_its_class_name_in_snake_case(name: str, kind: str) -> None:
    assert kind_of(name) == kind


def test_a_game_event_is_immutable() -> None:
    with pytest.raises(AttributeError):
        NOTE.text = "other"  # type: ignore[misc]  # that it cannot is what is tried


def structs() -> list[type[msgspec.Struct]]:
    """Return every struct of the core and of the games."""
    for module in pkgutil.walk_packages(ftk_core.__path__, "ftk_core."):
        # these modules need open-spiel or torch
        if not module.name.endswith(("_bot", "open_spiel_games", "_ppo", "_vec_env")):
            importlib.import_module(module.name)
    found: list[type[msgspec.Struct]] = []
    todo = [msgspec.Struct]
    while todo:
        kinds = [kind for kind in todo.pop().__subclasses__() if kind.__module__.startswith("ftk_core.")]
        todo += kinds
        found += kinds
    return found


def test_a_struct_is_encoded_in_the_order_of_its_declared_fields() -> None:
    """msgspec encodes positional fields first: fields of a `kw_only` base would follow those of its subclasses."""
    kinds = structs()
    assert MatchOpened in kinds
    for kind in kinds:
        declared = dict.fromkeys(name for base in reversed(kind.__mro__) for name in inspect.get_annotations(base))
        assert kind.__struct_fields__ == tuple(name for name in declared if name in kind.__struct_fields__), kind
