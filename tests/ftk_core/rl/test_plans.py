"""Views are encoded as vectors by their types, and values outside their bounds are refused."""

from __future__ import annotations

from operator import itemgetter
from typing import Annotated, Any

import msgspec
import numpy as np
import pytest

from ftk_core.facts import tag_of
from ftk_core.field_bounds import bag, endless, hidden, number, one_of, row, seat_of
from ftk_core.rl.view_encoding import FieldValueOutOfBoundsError, size_of, writer
from ftk_core.rl.view_encoding_columns import UnboundedFieldError, list_column_names, plan_of


class Ask(msgspec.Struct, tag="ask", tag_field="kind"):
    seat: Annotated[int, seat_of(3)]


class Shout(msgspec.Struct, tag="shout", tag_field="kind"):
    loud: bool


class Fold(msgspec.Struct, tag=True):
    pass


class Stay(msgspec.Struct, tag=True):
    shown: bool


class Decision(msgspec.Struct):
    last: Fold | Stay


class Everything(msgspec.Struct, kw_only=True):
    lot: Annotated[str, one_of("red", "blue")] | None = None
    gold: Annotated[int, number(0, 4)] = 0
    turns: Annotated[int, endless(10)] = 0
    dice: Annotated[tuple[Annotated[int, one_of(1, 2, 3)], ...], bag(2)] = ()
    said: Annotated[tuple[Ask | Shout, ...], row(2)] = ()
    best: tuple[bool, bool] = (False, False)
    deck: Annotated[tuple[str, ...] | None, hidden()] = None


def columns(view: msgspec.Struct) -> dict[str, float]:
    """Return the columns that are not 0, by name."""
    plan = plan_of(type(view))
    found = [0.0] * size_of(plan)
    writer(plan, getattr, lambda _: tag_of)(view, found, 0)
    from_json = [0.0] * size_of(plan)
    writer(plan, dict.__getitem__, itemgetter)(msgspec.to_builtins(view), from_json, 0)
    assert from_json == found
    return {name: value for name, value in zip(list_column_names(plan), found, strict=True) if value}


def test_observation_columns_encode_numbers_choices_collections_and_unions_of_a_view() -> None:
    assert columns(Everything()) == {}
    assert columns(Everything(lot="blue")) == {"lot is known": 1, "lot = blue": 1}
    assert columns(Everything(gold=3, turns=30)) == {"gold, 0 to 4": 0.75, "turns / (turns + 10)": 0.75}
    assert columns(Everything(dice=(1, 1, 3))) == {"dice: 1, of 2": 1, "dice: 3, of 2": 0.5}
    assert columns(Everything(best=(False, True))) == {"best.1": 1}
    assert columns(Everything(said=(Shout(loud=True), Ask(seat=2)))) == {
        "said[0] is there": 1,
        "said[0] is shout": 1,
        "said[0](shout).loud": 1,
        "said[1] is there": 1,
        "said[1] is ask": 1,
        "said[1](ask).seat = 2": 1,
    }


def test_structs_of_a_view_may_have_their_tag_in_any_field() -> None:
    assert columns(Decision(Fold())) == {"last is Fold": 1}
    assert columns(Decision(Stay(shown=True))) == {"last is Stay": 1, "last(Stay).shown": 1}


def test_the_column_of_a_multiset_never_exceeds_1_in_32_bit_numbers() -> None:
    for each in range(1, 200):
        row = np.zeros(2, np.float32)
        writer(["bag", each, ["red", "blue"]], getattr, lambda _: tag_of)(("blue",) * each, row, 0)
        assert 0.999 < row[1] <= 1, each
        assert row[0] == 0


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (Everything(lot="green"), "view.lot is 'green', and its type says one of"),
        (Everything(gold=5), "view.gold is 5, and its type says 0 to 4"),
        (Everything(gold=-1), "view.gold is -1, and its type says 0 to 4"),
        (Everything(turns=-1), "view.turns is -1, and its type says 0 or more"),
        (Everything(dice=(1, 1, 1)), "its type says 2 of each at the most"),
        (Everything(dice=(4,)), "view.dice is 4, and its type says one of"),
        (Everything(said=(Ask(0), Ask(0), Ask(0))), "its type says 2 at the most"),
        (Everything(deck=()), "its type says that no seat sees it"),
    ],
)
def test_encoding_a_value_outside_its_declared_bounds_raises_an_error(view: Everything, words: str) -> None:
    with pytest.raises(FieldValueOutOfBoundsError) as error:
        columns(view)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (int, "view is an int without bounds: use `number`"),
        (str, "view is a str without bounds: use `one_of`"),
        (tuple[bool, ...], "view is a tuple without bounds: mark its type with `row` or `bag`"),
        (Annotated[tuple[bool, ...], bag(1)], "view is a bag of unbounded items"),
        (dict[str, int], "view is of a type that no plan is made from"),
        (Any, "view is of a type that no plan is made from"),
    ],
)
def test_a_field_type_without_declared_bounds_raises_an_error(kind: Any, words: str) -> None:
    with pytest.raises(UnboundedFieldError) as error:
        plan_of(kind)
    assert words in str(error.value)
