"""Form to create tokens."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from bots.scopes import CEILING
from bots.tokens import DAYS, LONGEST_NAME, MOST_DAYS
from ftk_core.kit.tokens import AUTHORS, SCOPES


def scopes_here(request: HttpRequest) -> list[str]:
    """Return the scopes available in this session: all, or those of the token that opened it."""
    most = request.session.get(CEILING, SCOPES)
    return [scope for scope in SCOPES if scope in most]


class NewTokenForm(forms.Form):
    """Name, scopes and lifetime of a new token."""

    name = forms.CharField(
        max_length=LONGEST_NAME, label=_("name"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    scopes = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        initial=AUTHORS,
        error_messages={"required": _("Name at least one thing that it may.")},
    )
    days = forms.IntegerField(min_value=1, max_value=MOST_DAYS, initial=DAYS, label=_("days until it expires"))

    def __init__(self, *args: Any, most: list[str], **kwargs: Any) -> None:
        """Offer the scopes of `most`."""
        super().__init__(*args, **kwargs)
        scopes = self.fields["scopes"]
        assert isinstance(scopes, forms.MultipleChoiceField)
        scopes.choices = [(scope, SCOPES[scope]) for scope in most]

    def first_error(self) -> str:
        """Return the first error, with the field's name."""
        field, said = next(iter(self.errors.items()))
        return f"{field}: {said[0]}"
