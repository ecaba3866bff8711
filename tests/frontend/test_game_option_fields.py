"""Form fields for the options of a game: their kinds, bounds and texts, and the JSON that they make."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import msgspec
import pytest
from django import forms
from django.utils.translation import override

from frontend.pages.game_option_fields import encode_options, make_option_fields
from ftk_core.field_bounds import bag, number, one_of
from ftk_core.games import game, list_games

Colour = Annotated[str, one_of("red", "blue")]


class PartyOptions(msgspec.Struct, frozen=True):
    """Options of each kind that a game can have."""

    colours: tuple[Colour, ...] = ()
    """A list of known values, each once."""
    deck: Annotated[tuple[Colour, ...], bag(4)] | None = None
    rounds: Annotated[int, number(1, 9)] | None = None
    open: bool = True
    words: tuple[str, ...] = ()
    motto: str = ""


PARTY = replace(game("pig"), options=PartyOptions)


def clean(**submitted: Any) -> dict[str, Any]:
    """Return the cleaned values of a form with the fields of `PARTY`."""
    form = forms.Form({f"option-{name}": value for name, value in submitted.items()})
    form.fields |= make_option_fields(PARTY)
    assert form.is_valid(), form.errors
    return form.cleaned_data


def test_each_type_of_game_option_has_its_own_type_of_form_field() -> None:
    fields = make_option_fields(PARTY)
    kinds = {name.removeprefix("option-"): type(field).__name__ for name, field in fields.items()}
    assert kinds == {
        "colours": "MultipleChoiceField",
        "deck-red": "IntegerField",
        "deck-blue": "IntegerField",
        "rounds": "IntegerField",
        "open": "BooleanField",
        "words": "CharField",
        "motto": "CharField",
    }
    assert [fields["option-rounds"].min_value, fields["option-rounds"].max_value] == [1, 9]  # type: ignore[attr-defined]  # of IntegerField
    assert fields["option-deck-red"].max_value == 4  # type: ignore[attr-defined]  # of IntegerField
    assert fields["option-colours"].choices == [("red", "Red"), ("blue", "Blue")]  # type: ignore[attr-defined]  # of ChoiceField


@pytest.mark.parametrize(
    ("submitted", "options"),
    [
        ({"open": "on"}, {}),
        ({}, {"open": False}),
        (
            {"open": "on", "colours": ["blue"], "deck-blue": "2", "deck-red": ""},
            {"colours": ["blue"], "deck": ["blue"] * 2},
        ),
        ({"open": "on", "deck-red": "0", "rounds": "3"}, {"deck": [], "rounds": 3}),
        ({"open": "on", "words": "one, two", "motto": "a, b"}, {"words": ["one", "two"], "motto": "a, b"}),
    ],
)
def test_game_options_are_stored_without_default_values_and_refill_the_form_with_the_submitted_values(
    submitted: dict[str, Any], options: dict[str, Any]
) -> None:
    encoded = encode_options(PARTY, clean(**submitted))
    assert msgspec.json.decode(encoded or "{}") == options
    refilled = {name: field.initial for name, field in make_option_fields(PARTY, encoded).items()}
    form = forms.Form(refilled)
    form.fields |= make_option_fields(PARTY)
    assert form.is_valid()
    assert encode_options(PARTY, form.cleaned_data) == encoded


@pytest.mark.parametrize("name", sorted(list_games()))
def test_an_empty_options_form_selects_the_default_options_of_every_game(name: str) -> None:
    form = forms.Form({})
    form.fields |= make_option_fields(game(name))
    assert form.is_valid()
    assert encode_options(game(name), form.cleaned_data) == ""


def test_labels_and_help_texts_of_game_options_are_in_the_active_language() -> None:
    rules = game("kings_court")
    gifts = make_option_fields(rules)["option-gifts"]
    assert (gifts.label, gifts.help_text) == (
        "Kings Gifts",
        "Each pays for one mistaken accusation. Empty: as in the rule book.",
    )
    with override("zh-hant"):
        assert make_option_fields(rules)["option-gifts"].label == "國王的禮物"
