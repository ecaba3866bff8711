"""Template tag for the comments under a page."""

from __future__ import annotations

from typing import Any

from django import template
from django.contrib.auth.models import User

from tournaments.comments.queries import read_thread

register = template.Library()


@register.inclusion_tag("frontend/parts/comments.html", takes_context=True)
def comment_thread(context: dict[str, Any], slug: str, match_id: str = "") -> dict[str, Any]:
    """Show the newest comments on a league or match, with a form for a new one."""
    # Nothing if comments are off.
    request = context["request"]
    person = request.user if isinstance(request.user, User) else None
    return {
        "request": request,
        "csrf_token": context.get("csrf_token"),
        "person": person,
        "thread": read_thread(slug, match_id, person),
    }
