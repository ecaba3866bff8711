"""No page is forgotten when pictures are taken."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

from frontend.urls import urlpatterns as pages
from people.urls import urlpatterns as doors
from tests.support.browser.shots import LINKS, NO_PICTURE, ON_THE_WAY, ROWS, rows


def names_of(entries: list[URLPattern | URLResolver]) -> set[str]:
    """The names of addresses, also of those in folders."""
    within = [{e.name or ""} if isinstance(e, URLPattern) else names_of(e.url_patterns) for e in entries]
    return {name for names in within for name in names}


def test_every_address_of_the_pages_has_a_row_of_pictures() -> None:
    assert names_of([*pages, *doors]) == set(ROWS) | NO_PICTURE | ON_THE_WAY
    assert not set(ROWS) & (NO_PICTURE | ON_THE_WAY)
    assert [name for name, row in ROWS.items() if not row] == ["leaderboards"], "it only leads to the newest one"


def test_the_pictures_have_names_of_their_own() -> None:
    names = [name for name, _ in rows({name: "/x/" for name, _, _ in LINKS} | {"embed": "/e/"})]
    assert len(names) == len(set(names)) > len(ROWS)
