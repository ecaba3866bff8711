"""Staff page of the site's brand: its name, logo, colours and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminTextInputWidget, UnfoldBooleanWidget

from foundation.branding.arena_brand import (
    TEXT_FIELDS,
    forget_brand,
    list_colour_fields,
    make_brand,
    read_settings_brand,
)
from foundation.branding.brand_colours import InsufficientContrastError, check_colours
from foundation.branding.logo_pictures import convert_logo
from foundation.branding.models import COLOUR_PATTERN, Brand
from ftk_core.league.league_state import CommandRejected
from people.staff_audit_trail import record_staff_act, require_staff

UNREADABLE = {
    "day": ("page_day", "Text is hard to read on %(colour)s by day: choose a lighter colour."),
    "night": ("page_night", "Text is hard to read on %(colour)s by night: choose a darker colour."),
}
"""Theme -> (form field, error message) for a background on which text is hard to read; staff pages are in English."""
if TYPE_CHECKING:
    BrandFormBase = forms.ModelForm[Brand]
else:  # Django's own class is not generic
    BrandFormBase = forms.ModelForm


class BrandForm(BrandFormBase):
    """Form for the site's name, logo, colours and texts."""

    # For an empty field the site uses the value in Django's settings.

    new_logo = forms.FileField(required=False, help_text="PNG, JPEG or WebP, at most 512 KiB.")
    remove_logo = forms.BooleanField(required=False, widget=UnfoldBooleanWidget)
    why = forms.CharField(max_length=200, widget=UnfoldAdminTextInputWidget, help_text="For the log of staff acts.")

    class Meta:
        model = Brand
        fields = (*TEXT_FIELDS, *list_colour_fields())

    def clean_new_logo(self) -> bytes:
        """Convert the uploaded logo to PNG. Raises ValidationError for a bad picture."""
        upload = self.cleaned_data.get("new_logo")
        try:
            return convert_logo(upload.read()) if upload else b""
        except CommandRejected as error:
            raise ValidationError(str(error)) from error

    def clean(self) -> dict[str, Any]:
        """Add an error if a background colour has too little contrast with the text colour of the same theme."""
        cleaned = super().clean() or self.cleaned_data
        given = {name: cleaned.get(name) or "" for name in list_colour_fields()}
        colours = {name: colour for name, colour in given.items() if COLOUR_PATTERN.match(colour)}
        try:
            check_colours(make_brand(colours, b"", read_settings_brand()).colours)
        except InsufficientContrastError as error:
            field, message = UNREADABLE[error.time]
            self.add_error(field, gettext(message) % {"colour": error.colour})
        return cleaned


class BrandAdmin(ModelAdmin):  # type: ignore[misc]  # unfold ships no types
    """Admin page of the site's name, logo, colours and texts."""

    # The database has at most one brand; without one, Django's settings apply.

    model_shown = Brand
    form = BrandForm
    actions = None  # the action that deletes rows would leave no trace in the staff log

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Allow adding the brand if none exists."""
        return not Brand.objects.exists()

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Return True for everybody, because the admin site admits only staff."""
        return True

    has_view_permission = has_delete_permission = has_change_permission

    def has_module_permission(self, _request: HttpRequest) -> bool:
        """List the brand on the start page of the admin."""
        return True

    def save_model(self, request: HttpRequest, obj: Brand, form: BrandForm, change: bool) -> None:
        """Store the brand, and record the change in the audit trail of staff actions."""
        del change
        if form.cleaned_data["new_logo"]:
            obj.logo = form.cleaned_data["new_logo"]
        elif form.cleaned_data["remove_logo"]:
            obj.logo = None
        obj.save()
        _record(request, "brand", form.cleaned_data["why"])

    def delete_model(self, request: HttpRequest, obj: Brand) -> None:
        """Delete the brand, and record the deletion in the audit trail of staff actions."""
        obj.delete()
        _record(request, "unbrand", "the settings are enough")


def _record(request: HttpRequest, act: str, why: str) -> None:
    assert isinstance(request.user, User)
    record_staff_act(require_staff(request.user, why), act, "the brand of the arena")
    transaction.on_commit(forget_brand)
