"""Accessibility violations that axe finds in a page, and the list of tested pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.support.browser.screenshots import list_screenshots

AXE = Path("frontend/ui/node_modules/axe-core/axe.min.js")
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
FOUND = {
    "league": "/leagues/night/",
    "bot": "/bots/b1/",
    "game": "pig",
    "season": "2026",
    "house": "hold20",
}
HANDBOOK = "/docs/"
"""Path of the documentation site, whose theme is not ours."""
LEFT = ("/broken/", HANDBOOK)
"""Beginnings of the paths that are not tested."""
PATHS = tuple(
    path
    for _, path in list_screenshots(FOUND | {"match": "", "embed": ""})
    if path[:1] == "/" and not path.startswith(LEFT)
)
"""Paths of all tested pages; the pages of a match are not among them."""
LANDMARKS = ("landmark-one-main", "region", "page-has-heading-one", "landmark-unique")
RUN = """([tags, rules]) => axe.run(document, {
  runOnly: tags, rules: Object.fromEntries(rules.map((rule) => [rule, {enabled: true}])), resultTypes: ['violations'],
})"""


def find_axe_violations(page: Page) -> list[str]:
    """Return axe's violations with their places in the page."""
    page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate(RUN, [list(TAGS), list(LANDMARKS)])
    return [
        f"{row['id']}: {node['target']} {node['failureSummary']}"
        for row in found["violations"]
        for node in row["nodes"]
    ]
