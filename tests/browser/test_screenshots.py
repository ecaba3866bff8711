"""Screenshots exist for every page."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

from frontend.urls import urlpatterns as pages
from people.urls import urlpatterns as doors
from tests.support.browser.screenshots import LINKS, NO_PICTURE, ON_THE_WAY, ROWS, list_screenshots


def names_of(entries: list[URLPattern | URLResolver]) -> set[str]:
    """Return the names of all URL patterns, including nested ones."""
    within = [{e.name or ""} if isinstance(e, URLPattern) else names_of(e.url_patterns) for e in entries]
    return {name for names in within for name in names}


def test_every_page_is_either_captured_as_a_screenshot_or_explicitly_exempted() -> None:
    assert names_of([*pages, *doors]) == set(ROWS) | NO_PICTURE | ON_THE_WAY
    assert not set(ROWS) & (NO_PICTURE | ON_THE_WAY)
    assert [name for name, row in ROWS.items() if not row] == ["leaderboards"], "it only leads to the newest one"


def test_screenshot_names_are_unique() -> None:
    names = [name for name, _ in list_screenshots({name: "/x/" for name, _, _ in LINKS} | {"embed": "/e/"})]
    assert len(names) == len(set(names)) > len(ROWS)
