"""Form fields for the options of a game, made from a msgspec type."""
# A list of known words becomes checkboxes, or number fields if it may contain a word several times.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django import forms
from django.utils.translation import gettext, gettext_lazy as _
from msgspec.inspect import (
    BoolType,
    IntType,
    ListType,
    Metadata,
    NoneType,
    StructType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from foundation.message_translation import with_full_stop
from foundation.response_language import active_language
from ftk_core.field_bounds import EACH
from ftk_core.match_state_from_log import AnyGame, check_options, read_options

PREFIX = "option-"
HELP = "help"
STANDARD_HELP = _("Empty: as in the rule book.")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOption:
    """Option of a game, read from a field of a msgspec type."""

    # `type` has no annotations, and no None. `bounds` has the limits from the annotations, such as the maximum.

    name: str
    type: Type
    default: Any
    bounds: Mapping[str, Any]
    values: tuple[str, ...] = field(default=())
    """Values that the items of a list may have; empty if the option is no list or if any value is allowed."""

    @property
    def is_list(self) -> bool:
        """True if the option is a list of strings."""
        return isinstance(self.type, ListType | VarTupleType)

    @property
    def is_counted(self) -> bool:
        """True if the option is a list in which a value may occur several times."""
        # The form has one number field for each possible value.
        return bool(self.values) and self.bounds.get(EACH, 1) > 1


def list_options(options: type[msgspec.Struct]) -> Iterator[GameOption]:
    """Yield the options of a game, in the order in which the msgspec type `options` declares them."""
    struct_type = type_info(options)
    assert isinstance(struct_type, StructType)
    for one in struct_type.fields:
        inner, bounds = _unwrap(one.type)
        item_bounds = _unwrap(inner.item_type)[1] if isinstance(inner, ListType | VarTupleType) else {}
        values = tuple(item_bounds.get("enum", ()))
        yield GameOption(name=one.name, type=inner, default=one.default, bounds=bounds, values=values)


def _unwrap(annotated: Type) -> tuple[Type, dict[str, Any]]:
    """Return a type without its annotations, and the limits from the annotations. ``int | None`` becomes ``int``."""
    if isinstance(annotated, Metadata):
        inner, bounds = _unwrap(annotated.type)
        return inner, {**bounds, **(annotated.extra_json_schema or {}), **(annotated.extra or {})}
    if isinstance(annotated, UnionType):
        return _unwrap(next(one for one in annotated.types if not isinstance(one, NoneType)))
    return annotated, {}


def make_option_fields(rules: AnyGame, options: str = "") -> dict[str, forms.Field]:
    """Return the form fields for the options of a game, by field name.

    `options` holds the initial values as a JSON object. An empty string means the default values.
    """
    given: dict[str, Any] = msgspec.json.decode(options or "{}")
    texts = rules.by_hand.options(active_language())
    fields: dict[str, forms.Field] = {}
    for option in list_options(rules.options):
        value = given.get(option.name)
        if option.is_counted:
            fields |= {
                f"{PREFIX}{option.name}-{one}": forms.IntegerField(
                    required=False,
                    min_value=0,
                    max_value=option.bounds[EACH],
                    initial=None if value is None else value.count(one),
                    label=texts.get(f"{option.name}-{one}", _make_label(one)),
                )
                for one in option.values
            }
            fields[f"{PREFIX}{option.name}-{option.values[0]}"].help_text = _make_help(option, texts)
        else:
            fields[PREFIX + option.name] = _make_field(option, value, texts)
    return fields


def _make_field(option: GameOption, value: Any, texts: Mapping[str, str]) -> forms.Field:
    """Return the form field for a game option that needs only one field."""
    shared: dict[str, Any] = {
        "required": False,
        "label": texts.get(option.name, _make_label(option.name)),
        "help_text": _make_help(option, texts),
    }
    if isinstance(option.type, BoolType):
        return forms.BooleanField(**shared, initial=option.default if value is None else value)
    if isinstance(option.type, IntType):
        bounds: dict[str, Any] = {f"{end[:3]}_value": option.bounds.get(end) for end in ("minimum", "maximum")}
        return forms.IntegerField(**shared, initial=value, **bounds)
    if option.values:
        choices = [(one, texts.get(f"{option.name}-{one}", _make_label(one))) for one in option.values]
        return forms.MultipleChoiceField(**shared, initial=value, choices=choices, widget=forms.CheckboxSelectMultiple)
    return forms.CharField(**shared, initial=", ".join(value) if option.is_list and value else value)


def _make_label(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _make_help(option: GameOption, texts: Mapping[str, str]) -> str:
    """Return the help text of a game option."""
    own = texts.get(f"{option.name}-{HELP}", "")
    if isinstance(option.type, BoolType):
        return own
    words = gettext("Words between commas.") if option.is_list and not option.values else ""
    return " ".join(part for part in (own, words, str(STANDARD_HELP)) if part)


def encode_options(rules: AnyGame, cleaned: Mapping[str, Any]) -> str:
    """Return the changed game options as JSON; an empty string if all are defaults."""
    values = {option.name: _read_value(option, cleaned) for option in list_options(rules.options)}
    defaults = {option.name: option.default for option in list_options(rules.options)}
    changed = {name: value for name, value in values.items() if value is not None and value != defaults[name]}
    return msgspec.json.encode(changed).decode() if changed else ""


def _read_value(option: GameOption, cleaned: Mapping[str, Any]) -> Any:
    """Return the value of a game option from a form; None if nothing was entered."""
    if option.is_counted:
        counts = {one: cleaned.get(f"{PREFIX}{option.name}-{one}") for one in option.values}
        if all(count is None for count in counts.values()):
            return None
        return [one for one, count in counts.items() for _number in range(count or 0)]
    value = cleaned.get(PREFIX + option.name)
    if value in (None, "", []):
        return None
    return [word.strip() for word in value.split(",")] if option.is_list and isinstance(value, str) else value


def check_option_fields(form: forms.Form, rules: AnyGame, seats: int) -> None:
    """Add an error to the form if the game cannot be played with these options."""
    names = [name for name in form.fields if name.startswith(PREFIX)]
    if not names or any(name in form.errors for name in names):
        return
    try:
        check_options(rules, seats, read_options(rules, encode_options(rules, form.cleaned_data) or "{}"))
    except ValueError as error:
        form.add_error(names[0], with_full_stop(error))
