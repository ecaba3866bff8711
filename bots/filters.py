"""What may stand behind the question mark of a REST address."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from rest_framework.exceptions import ValidationError
from rest_framework.filters import BaseFilterBackend
from rest_framework.request import Request

M = TypeVar("M", bound=Model)
R = TypeVar("R")


class KnownWords(BaseFilterBackend):
    """Refuses a word that would be ignored: who asks for the matches of a bot must not get those of all."""

    def filter_queryset(self, request: Request, queryset: QuerySet[M, R], view: Any) -> QuerySet[M, R]:
        """Return the rows as they are; raises ValidationError."""
        pages = view.paginator
        known = [*getattr(view, "filterset_fields", ())] if not view.kwargs else []
        known += [pages.limit_query_param, pages.offset_query_param] if pages and not view.kwargs else []
        for word in request.query_params:
            if word not in known:
                may = f"known are {', '.join(known)}" if known else "nothing can be asked for there"
                raise ValidationError({"detail": f"{word[:60]!r} is not known here; {may}"})
        return queryset
