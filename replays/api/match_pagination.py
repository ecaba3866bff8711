"""Pagination of the list of matches in the REST API."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from foundation.keyset_pagination import InvalidCursorError, encode_cursor, read_page
from foundation.query_parameters import StrictCursorPagination

BACKWARD = "~"
"""Prefix of the cursor of a previous page; no other cursor contains this character."""


class MatchPagination(StrictCursorPagination):
    """Pagination by all sort columns of a view (its `columns`), or as `StrictCursorPagination` if it has none."""

    # The cursor of `StrictCursorPagination` contains the first sort column only, and counts the rows with the same
    # value up to a limit. All unfinished matches of a bot have the same value.

    _cursors: tuple[str, str] | None = None
    """Cursors of the previous and of the next page, empty if there is none; None without columns."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        """Return the rows of a page. Raises ValidationError if the cursor does not belong to this list."""
        if not view.columns:
            return super().paginate_queryset(queryset, request, view)
        self.base_url = request.build_absolute_uri()
        self.page_size = size = self.get_page_size(request) or 0
        cursor = request.query_params.get(self.cursor_query_param, "")
        is_backward = cursor.startswith(BACKWARD)
        columns = [column.reversed if is_backward else column for column in view.columns]
        try:
            page = read_page(queryset, columns, cursor.removeprefix(BACKWARD), size)
        except InvalidCursorError:
            raise ValidationError(
                {"after": gettext("this cursor does not come from this list; start again without a cursor")}
            ) from None
        rows = page.rows[::-1] if is_backward else page.rows
        previous = page.after if is_backward else encode_cursor(columns, rows[0]) if cursor and rows else ""
        following = page.after if not is_backward else encode_cursor(columns, rows[-1]) if rows else ""
        self._cursors = (BACKWARD + previous if previous else "", following)
        return rows

    def get_previous_link(self) -> str | None:
        """Return the URL of the previous page, or None on the first page."""
        return super().get_previous_link() if self._cursors is None else self._build_link(self._cursors[0])

    def get_next_link(self) -> str | None:
        """Return the URL of the next page, or None on the last page."""
        return super().get_next_link() if self._cursors is None else self._build_link(self._cursors[1])

    def _build_link(self, cursor: str) -> str | None:
        return replace_query_param(str(self.base_url), self.cursor_query_param, cursor) if cursor else None
