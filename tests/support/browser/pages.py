"""Pages as Django's test client gets them, and the matches that they should show."""

from __future__ import annotations

from django.test import Client

from replays.models import Match


def fetch_text(client: Client, path: str, status: int = 200) -> str:
    """Return the text of a page that answers with this status."""
    answer = client.get(path)
    assert answer.status_code == status
    return answer.content.decode()


def list_closed_matches() -> list[str]:
    """Return all closed matches, the newest first."""
    return list(Match.objects.filter(status="closed").order_by("-closed_at", "-id").values_list("pk", flat=True))
