"""Read-only Django admin at `/staff/`."""
# Most tables are derived from event logs, so their rows must not be edited.

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from unfold.admin import ModelAdmin


class ReadOnlyAdmin(ModelAdmin):  # type: ignore[misc]  # unfold ships no types
    """Admin class to browse and search the rows of a model, without editing them."""

    list_per_page = 50
    show_full_result_count = False
    show_facets = False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Allow filters by shown columns only: a hidden one, such as a secret, could be guessed digit by digit."""
        filters = (entry[0] if isinstance(entry, tuple) else entry for entry in self.list_filter)
        shown = {*self.list_display, *filters, *(self.fields or ())}
        return lookup.partition("__")[0] in shown and bool(super().lookup_allowed(lookup, value, request))

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Forbid adding rows."""
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Forbid changing rows."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Forbid deleting rows."""
        return False

    def has_view_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Allow everybody to view rows: the admin site itself admits only staff."""
        return True

    def has_module_permission(self, _request: HttpRequest) -> bool:
        """List the table on the start page of the admin."""
        return True
