"""The changelog follows Keep a Changelog, and its entries are short."""

from __future__ import annotations

import re
from pathlib import Path

CHANGELOG = Path("CHANGELOG.md").read_text()
SECTIONS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
MAX_ENTRY_CHARACTERS = 120


def test_every_version_in_the_changelog_has_the_sections_of_keep_a_changelog_in_order() -> None:
    versions = re.split(r"^## (?:\[Unreleased\]|\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d)$", CHANGELOG, flags=re.MULTILINE)
    assert len(versions) > 1
    assert CHANGELOG.count("\n## ") == len(versions) - 1
    for version in versions[1:]:
        sections = re.findall(r"^### (.+)$", version, re.MULTILINE)
        assert sections == sorted(set(sections), key=SECTIONS.index)


def test_every_changelog_entry_is_one_line_of_at_most_120_characters() -> None:
    entries = re.findall(r"^- .+(?:\n .+)*", CHANGELOG, re.MULTILINE)
    assert len(entries) > 50
    assert [entry for entry in entries if "\n" in entry or len(entry) > MAX_ENTRY_CHARACTERS] == []


def test_no_changelog_entry_appears_twice() -> None:
    entries = re.findall(r"^- .+", CHANGELOG, re.MULTILINE)
    assert sorted({entry for entry in entries if entries.count(entry) > 1}) == []
