"""Admin pages of the people: accounts without their secrets, and acts of staff."""

from __future__ import annotations

from django.contrib.auth.models import User

from foundation.readonly import Rows
from people.models import StaffAct


class PersonRows(Rows):
    """Admin list of accounts; a banned account is inactive."""

    model_shown = User
    list_display = ("username", "email", "is_active", "is_staff", "date_joined", "last_login", "ban")
    list_filter = ("is_active", "is_staff", "groups")
    search_fields = ("username", "email")
    ordering = ("-date_joined",)
    list_select_related = ("ban",)
    fields = ("username", "email", "is_active", "is_staff", "groups", "date_joined", "last_login")


class StaffActRows(Rows):
    """Admin list of acts of staff, the newest first."""

    model_shown = StaffAct
    list_display = ("at", "name", "what", "on", "why", "address")
    list_filter = ("what",)
    search_fields = ("name", "on", "person__username")
