"""A fact is encoded in one way, and its marked fields are told to their holder only."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from typing import Annotated

import msgspec
import pytest

import ftk_core
from ftk_core.entries import Opened
from ftk_core.facts import NOBODY, OMNISCIENT, PUBLIC, Fact, SeenBy, encode, kind_of, tell


class NoteGiven(Fact, frozen=True):
    """Somebody was handed a note; nobody knows the number of the envelope."""

    giver: int
    taker: int
    text: Annotated[str | None, SeenBy("taker")]
    envelope: Annotated[int | None, SeenBy(NOBODY)]


class BellRung(Fact, frozen=True):
    """Nothing is secret about it."""

    times: int


NOTE = NoteGiven(0, 1, "zwölf", 7)


def test_the_holder_reads_the_secret_and_nobody_else_does() -> None:
    assert [tell(NOTE, seat).text for seat in (PUBLIC, 0, 1, 2)] == [None, None, "zwölf", None]


def test_what_nobody_may_know_is_told_to_the_omniscient_only() -> None:
    assert [tell(NOTE, viewer).envelope for viewer in (PUBLIC, 0, 1, OMNISCIENT)] == [None, None, None, 7]


def test_the_omniscient_is_told_everything() -> None:
    assert tell(NOTE, OMNISCIENT) is NOTE


def test_a_fact_without_secrets_is_told_as_it_is() -> None:
    bell = BellRung(3)
    assert tell(bell, PUBLIC) is bell


def test_no_seat_number_passes_for_the_public() -> None:
    """A holder of seat -1 would make the public a holder."""
    assert tell(NoteGiven(0, PUBLIC, "text", 7), PUBLIC).text is None


def test_the_encoding_is_canonical() -> None:
    expected = '{"kind":"note_given","giver":0,"taker":1,"text":"zwölf","envelope":7}'.encode()
    assert encode(NOTE) == expected
    assert encode(msgspec.json.decode(expected, type=NoteGiven)) == expected


@pytest.mark.parametrize(
    ("name", "kind"), [("CardPlaced", "card_placed"), ("DieRolled", "die_rolled"), ("Hold", "hold")]
)
def test_a_kind_is_called_like_its_class(name: str, kind: str) -> None:
    assert kind_of(name) == kind


def test_a_fact_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        NOTE.text = "other"  # type: ignore[misc]  # that it cannot is what is tried


def structs() -> list[type[msgspec.Struct]]:
    """Return every struct of the core and of the games."""
    for module in pkgutil.walk_packages(ftk_core.__path__, "ftk_core."):
        if not module.name.endswith("_bot"):
            importlib.import_module(module.name)
    found: list[type[msgspec.Struct]] = []
    todo = [msgspec.Struct]
    while todo:
        kinds = [kind for kind in todo.pop().__subclasses__() if kind.__module__.startswith("ftk_core.")]
        todo += kinds
        found += kinds
    return found


def test_a_struct_is_written_in_the_order_in_which_its_fields_are_declared_however_it_is_made() -> None:
    """msgspec writes what is given by position first: a base that is `kw_only` would move behind its children."""
    kinds = structs()
    assert Opened in kinds
    for kind in kinds:
        declared = dict.fromkeys(name for base in reversed(kind.__mro__) for name in inspect.get_annotations(base))
        assert kind.__struct_fields__ == tuple(name for name in declared if name in kind.__struct_fields__), kind
