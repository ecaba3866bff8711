"""Pages as a reader without a browser gets them, and which matches they should show."""

from __future__ import annotations

from django.test import Client

from replays.models import Match


def text_of(client: Client, path: str, status: int = 200) -> str:
    """Return a page that answers with this status."""
    answer = client.get(path)
    assert answer.status_code == status
    return answer.content.decode()


def closed() -> list[str]:
    """All ended matches, the newest first."""
    return list(Match.objects.filter(status="closed").order_by("-closed_at", "-id").values_list("pk", flat=True))
