"""No page is forgotten when pictures are taken."""

from __future__ import annotations

from frontend.urls import urlpatterns
from tests.support.browser.shots import LINKS, NO_PICTURE, ROWS, rows


def test_every_address_of_the_pages_has_a_row_of_pictures() -> None:
    names = {pattern.name for pattern in urlpatterns}
    assert names == set(ROWS) | NO_PICTURE
    assert not set(ROWS) & NO_PICTURE
    assert [name for name, row in ROWS.items() if not row] == ["leaderboards"], "it only leads to the newest one"


def test_the_pictures_have_names_of_their_own() -> None:
    names = [name for name, _ in rows({name: "/x/" for name, _, _ in LINKS} | {"embed": "/e/"})]
    assert len(names) == len(set(names)) > len(ROWS)
