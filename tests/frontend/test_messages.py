"""Messages are whole sentences in every language, including their punctuation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from django.utils.translation import override

from deploy.i18n.catalogue_files import GettextDomainCatalogues
from deploy.i18n.update import list_catalogues
from foundation.message_translation import with_full_stop

CHINESE_ENDS = ("。", "！", "？", "」", "……")
TAG = re.compile(r"<[^>]+>")
GLUED = re.compile(r"""f["'](?:[^"'{]*\s)?\{(?:error|why|reason|what|message)[^}]*\}[.!?]["']""")
SOURCES = ("bots", "frontend", "notices", "people", "replays", "tournaments")


def pairs(message: Message) -> list[tuple[str, str]]:
    """Return the English and the translated form of each message without tags; of plurals the last form."""
    english = message.id if isinstance(message.id, str) else message.id[-1]
    there = message.string if isinstance(message.string, str) else message.string[-1]
    return [(TAG.sub("", english).strip(), TAG.sub("", there).strip())] if english else []


@pytest.mark.parametrize("catalogue", list_catalogues(), ids=lambda catalogue: catalogue.domain)
def test_a_chinese_sentence_ends_with_a_chinese_full_stop(catalogue: GettextDomainCatalogues) -> None:
    wrong = [
        english
        for message in catalogue.read("zh_Hant")
        for english, there in pairs(message)
        if re.search(r"\w[.!?]$", english) and not there.endswith(CHINESE_ENDS) and " " in english
    ]
    assert wrong == []


def test_no_code_adds_a_full_stop_to_a_message() -> None:
    files = [path for app in SOURCES for path in Path(app).rglob("*.py") if "management" not in path.parts]
    assert len(files) > 100
    assert [str(path) for path in files if GLUED.search(path.read_text())] == []


def test_no_template_adds_a_full_stop_to_a_translated_value() -> None:
    filters = re.compile(r"\{\{[^}]*\|(?:spoken|capfirst|sentence)[^}]*\}\}\.")
    templates = list(Path("frontend/templates").rglob("*.html"))
    assert len(templates) > 50
    assert [str(path) for path in templates if filters.search(path.read_text())] == []


@pytest.mark.parametrize(
    ("language", "message", "shown"),
    [
        ("en", "nobody is called 'ada'", "nobody is called 'ada'."),
        ("en", "Rounds must be between 1 and 100 (got 0).", "Rounds must be between 1 and 100 (got 0)."),
        ("zh-hant", "已經有人作出決定", "已經有人作出決定。"),
        ("zh-hant", "已經有人作出決定。", "已經有人作出決定。"),
        ("en", "", ""),
    ],
)
def test_a_message_shown_as_a_sentence_ends_with_the_full_stop_of_the_active_language(
    language: str, message: str, shown: str
) -> None:
    with override(language):
        assert with_full_stop(message) == shown
