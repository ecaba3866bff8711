"""What axe finds wrong with a page, and the pages that it looks at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.support.browser.shots import rows

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
"""Below it all is drawn by a theme that is not ours."""
LEFT = ("/broken/", HANDBOOK)
PATHS = tuple(
    path for _, path in rows(FOUND | {"match": "", "embed": ""}) if path[:1] == "/" and not path.startswith(LEFT)
)
"""Every page but those of a match."""
LANDMARKS = ("landmark-one-main", "region", "page-has-heading-one", "landmark-unique")
RUN = """([tags, rules]) => axe.run(document, {
  runOnly: tags, rules: Object.fromEntries(rules.map((rule) => [rule, {enabled: true}])), resultTypes: ['violations'],
})"""


def breaches(page: Page) -> list[str]:
    """Return what axe complains of, with each place."""
    page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate(RUN, [list(TAGS), list(LANDMARKS)])
    return [
        f"{row['id']}: {node['target']} {node['failureSummary']}"
        for row in found["violations"]
        for node in row["nodes"]
    ]
