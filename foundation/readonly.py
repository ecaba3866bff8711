"""What staff sees of a table at `/staff/`, and cannot change there: where the truth is a stream, a form would lie."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from unfold.admin import ModelAdmin


class Rows(ModelAdmin):  # type: ignore[misc]  # unfold ships no types
    """Rows to look at and to look for; what can be done with them goes through services."""

    list_per_page = 50
    show_full_result_count = False
    show_facets = False

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_view_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Let in whom the site lets in: staff sees everything that has a row there."""
        return True

    def has_module_permission(self, _request: HttpRequest) -> bool:
        """List the table."""
        return True
