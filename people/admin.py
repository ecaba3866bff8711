"""Read-only admin tables of accounts (without secrets) and of the audit trail of staff."""

from __future__ import annotations

from django.contrib.auth.models import User

from foundation.readonly_admin import ReadOnlyAdmin
from people.models import StaffAct


class PersonAdmin(ReadOnlyAdmin):
    """Admin list of accounts; banned accounts are inactive."""

    model_shown = User
    list_display = ("username", "email", "is_active", "is_staff", "date_joined", "last_login", "ban")
    list_filter = ("is_active", "is_staff", "groups")
    search_fields = ("username", "email")
    ordering = ("-date_joined",)
    list_select_related = ("ban",)
    fields = ("username", "email", "is_active", "is_staff", "groups", "date_joined", "last_login")


class StaffAuditTrailAdmin(ReadOnlyAdmin):
    """Admin list of the audit trail of staff (bans, roles, quotas), newest first."""

    model_shown = StaffAct
    list_display = ("at", "name", "what", "on", "why", "address")
    list_filter = ("what",)
    search_fields = ("name", "on", "person__username")
