"""The catalogues of what the site says are whole: nothing in them is missing, doubtful or left over."""

from __future__ import annotations

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo

from deploy import tongues
from deploy.tongues import TONGUES, file_of, gathered, missing, read


def keys(catalog: Catalog) -> set[tuple[object, str | None]]:
    return {(row.id, row.context) for row in catalog if row.id}


def strings(catalog: Catalog) -> set[tuple[str, ...]]:
    """Return contexts, which Babel reads back as bytes, texts and translations; of several numbers the first."""
    rows = [row for row in catalog if row.id]
    return {
        (
            str(row.context).removeprefix("b'").removesuffix("'"),
            *(v if isinstance(v, str) else v[0] for v in (row.id, row.string)),
        )
        for row in rows
    }


@pytest.mark.parametrize("tongue", TONGUES)
def test_a_catalogue_has_what_the_site_says_and_nothing_else(tongue: str) -> None:
    catalog = read(tongue)
    said = keys(gathered())
    assert keys(catalog) == said, "make words, and translate what is new"
    assert catalog.obsolete == {}
    assert [row.id for row in catalog if row.id and row.fuzzy] == []


@pytest.mark.parametrize("tongue", TONGUES)
def test_everything_is_translated_with_the_same_placeholders(tongue: str) -> None:
    assert missing(read(tongue)) == []


@pytest.mark.parametrize("tongue", TONGUES)
def test_what_django_reads_is_made_of_the_catalogue_as_it_is_now(tongue: str) -> None:
    with file_of(tongue).with_suffix(".mo").open("rb") as file:
        made = read_mo(file)
    assert strings(made) == strings(read(tongue)), "make dev"


def test_a_text_without_a_translation_and_one_with_another_placeholder_are_missing() -> None:
    catalog = Catalog(locale="zh_Hant")
    catalog.add("Games", "遊戲")
    catalog.add("Leagues")
    catalog.add("by %(owner)s", "作者：%(author)s", flags=["python-format"])
    assert [line.split(":")[0] for line in missing(catalog)] == ["Leagues", "by %(owner)s"]


def test_a_catalogue_with_a_gap_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = Catalog(locale="zh_Hant")
    catalog.add("Leagues")
    monkeypatch.setattr(tongues, "read", lambda _: catalog)
    with pytest.raises(tongues.Untranslated, match="such as 'Leagues': translate it there"):
        tongues.compile_all()


def test_texts_are_gathered_from_templates_from_code_and_from_tables() -> None:
    said: dict[object, Message] = {row.id: row for row in gathered() if row.id}
    assert said["Leaderboards"].locations[0][0] == "frontend/templates/frontend/base.html"
    assert ("%(unread)s new notice", "%(unread)s new notices") in said
