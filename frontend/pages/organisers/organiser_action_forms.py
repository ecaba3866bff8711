"""Forms for organisers' interventions in a league."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.organisers.organiser_action_definition import (
    OrganiserAction,
    OrganiserActionArgument,
    OrganiserActionGroup,
)
from tournaments.organisers.organiser_action_preview import OrganiserActionPreview
from tournaments.organisers.organiser_action_submission import MAX_REASON_CHARACTERS
from tournaments.organisers.organiser_actions import actions_by_verb

MAX_DIGITS = 9


class OrganiserActionForm(forms.Form):
    """Form for an organiser's intervention in a league."""

    def __init__(
        self,
        verb: str,
        names: Sequence[str],
        current: Mapping[str, str],
        sent: QueryDict | None = None,
        initial: dict[str, str] | None = None,
    ) -> None:
        """Create the form of an organiser's intervention in a league.

        `names` lists the league's bots by number, from 1. `current` maps optional arguments to their present values.
        """
        # `sent` is the submitted form, or None; `initial` has further values for a form that was not submitted.
        super().__init__(sent, auto_id=f"{verb}-%s", initial={**current, **(initial or {})})
        self.act, self.verb, self._names, self._current = actions_by_verb()[verb], verb, names, current
        for field in self.act.fields:
            self.fields[field.name] = self._field(field)
        if self.act.needs_reason:
            self.fields["why"] = forms.CharField(
                max_length=MAX_REASON_CHARACTERS, label=_("Why"), help_text=_("everybody reads it")
            )

    @staticmethod
    def _field(field: OrganiserActionArgument) -> forms.Field:
        is_long = field.input_type == "textarea"
        form_field = forms.CharField(
            max_length=None if is_long else field.max_characters,
            label=field.label,
            help_text=field.help_text,
            required=not field.optional,
            widget=forms.Textarea() if is_long else forms.TextInput({"type": field.input_type}),
        )
        if field.is_entry:
            form_field.widget.attrs |= {"list": "entries", "autocomplete": "off"}
        return form_field

    def clean(self) -> dict[str, Any]:
        """Convert numbers and names of bots from text to integers."""
        values: dict[str, Any] = self.cleaned_data
        for field in self.act.fields:
            if field.number and field.name in values:
                parts = values[field.name].replace(",", " ").split() if field.many else [values[field.name].strip()]
                try:
                    numbers = [self._number(field, part) for part in parts]
                except forms.ValidationError as error:
                    self.add_error(field.name, error)
                else:
                    values[field.name] = numbers if field.many else numbers[0]
        return values

    def _number(self, field: OrganiserActionArgument, text: str) -> int:
        if field.is_entry and text in self._names:
            return self._names.index(text) + 1
        if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
            entry, number = _("%(text)r is not an entry's name or number."), _("%(text)r is not a whole number.")
            raise forms.ValidationError((entry if field.is_entry else number) % {"text": text[:40]})
        return int(text)

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments of the intervention, without optional arguments that keep their present value."""
        # The reason is left out too.
        return {
            field.name: self.cleaned_data[field.name]
            for field in self.act.fields
            if not field.optional or self.cleaned_data[field.name] != self._current.get(field.name)
        }

    @property
    def is_complete(self) -> bool:
        """True if all arguments of the intervention are given and valid; the reason may be missing."""
        return not set(self.errors) - {"why"}


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganiserActionPanel:
    """Form of an organiser's intervention in a league, optionally with a preview of the effects."""

    form: OrganiserActionForm
    effects: OrganiserActionPreview | None = None
    impossible: str = ""
    """Reason why the act is impossible with these arguments; empty otherwise."""
    outdated: bool = False
    """True if the effects have changed since they were shown."""

    @property
    def act(self) -> OrganiserAction:
        """Definition of the intervention, such as the withdrawal of a bot."""
        return self.form.act


def group_acts(verbs: Sequence[str]) -> list[tuple[Any, list[OrganiserAction]]]:
    """Return a pair (title of the group, interventions) for each group of the interventions named in `verbs`."""
    # Interventions without a group are left out.
    groups: dict[OrganiserActionGroup | None, list[OrganiserAction]] = {}
    for verb, act in actions_by_verb().items():
        if verb in verbs:
            groups.setdefault(act.group, []).append(act)
    return [(group.value, acts) for group, acts in groups.items() if group]
