"""Pictures in the README."""

from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

from tests.support.browser.pictures import SIZES, play_match, take_pictures

README = Path("README.md").read_text()
FOLDER = Path("docs/pictures")
KIB = 1024
MOST_KIB = 160


def test_the_readme_begins_with_pictures_of_viewer_and_leaderboard() -> None:
    shown = re.findall(r"!\[[^]]{20,}\]\((\S+)\)", README.split("\n## ")[0])
    assert shown == [f"{FOLDER}/{name}.png" for name in SIZES]
    for name, size in SIZES.items():
        path = FOLDER / f"{name}.png"
        assert path.stat().st_size < MOST_KIB * KIB
        with Image.open(path) as picture:
            assert picture.size == size


if "FTK_PICTURES" in os.environ:

    def test_every_picture_on_the_list_for_the_readme_is_created(
        transactional_db: None, arena: str, page: Page
    ) -> None:
        with ThreadPoolExecutor(1) as hands:  # playwright's event loop runs in this thread
            match = hands.submit(play_match).result()
        taken = take_pictures(page, arena, match, Path(os.environ["FTK_PICTURES"]))
        assert [path.stem for path in taken] == list(SIZES)
