"""Read-only admin tables at `/staff/`. The source of truth is a stream, so rows must not be edited."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from unfold.admin import ModelAdmin


class Rows(ModelAdmin):  # type: ignore[misc]  # unfold ships no types
    """Admin view to browse and search rows; changes go through services."""

    list_per_page = 50
    show_full_result_count = False
    show_facets = False

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Forbid adding."""
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Forbid changes."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Forbid deletion."""
        return False

    def has_view_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Allow every staff member; the admin site has checked that."""
        return True

    def has_module_permission(self, _request: HttpRequest) -> bool:
        """List the table."""
        return True
