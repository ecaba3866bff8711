"""Form for a new API token."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from bots.access.api_tokens import LIFETIME_DAYS, MAX_LIFETIME_DAYS, MAX_NAME_LETTERS
from bots.api.token_scope_permissions import SESSION_SCOPES_KEY
from ftk_core.kit.client.api_token_format import DEFAULT_SCOPES, SCOPES


def list_session_scopes(request: HttpRequest) -> list[str]:
    """Return the token scopes of a browser session."""
    # A session that was started with an API token has the scopes of that token; any other session has all.
    most = request.session.get(SESSION_SCOPES_KEY, SCOPES)
    return [scope for scope in SCOPES if scope in most]


class NewTokenForm(forms.Form):
    """Form for a new API token: name, scopes and lifetime in days."""

    name = forms.CharField(
        max_length=MAX_NAME_LETTERS, label=_("name"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    scopes = forms.MultipleChoiceField(
        label=_("Permissions"),
        widget=forms.CheckboxSelectMultiple,
        initial=DEFAULT_SCOPES,
        error_messages={"required": _("Name at least one thing that it may.")},
    )
    days = forms.IntegerField(
        min_value=1, max_value=MAX_LIFETIME_DAYS, initial=LIFETIME_DAYS, label=_("days until it expires")
    )

    def __init__(self, *args: Any, most: list[str], **kwargs: Any) -> None:
        """Create the form. `most` lists the scopes that the new token may have."""
        super().__init__(*args, **kwargs)
        scopes = self.fields["scopes"]
        assert isinstance(scopes, forms.MultipleChoiceField)
        scopes.choices = [(scope, SCOPES[scope]) for scope in most]

    def first_error(self) -> str:
        """Return the first error of an invalid form as ``field: message``."""
        field, said = next(iter(self.errors.items()))
        return f"{field}: {said[0]}"
