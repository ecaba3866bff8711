"""Translation catalogues of the site, of `ftk` and of the games: complete, current, and without doubtful entries."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo
from babel.messages.pofile import write_po

from deploy.i18n.catalogue_files import GettextDomainCatalogues, InvalidCatalogueError, list_missing
from deploy.i18n.site_catalogue import collect_catalogue
from deploy.i18n.update import list_catalogues
from ftk_core.i18n import TRANSLATED_LANGUAGES

CATALOGUES = [
    pytest.param(catalogue, language.folder, id=f"{catalogue.domain}-{language.tag}")
    for catalogue in list_catalogues()
    for language in TRANSLATED_LANGUAGES
]


def keys(catalog: Catalog) -> set[tuple[object, str | None]]:
    return {(row.id, row.context) for row in catalog if row.id}


def strings(catalog: Catalog) -> set[tuple[str, ...]]:
    """Return the context (bytes in Babel), text and translation of each entry; of plural forms, the first."""
    rows = [row for row in catalog if row.id]
    return {
        (
            str(row.context).removeprefix("b'").removesuffix("'"),
            *(v if isinstance(v, str) else v[0] for v in (row.id, row.string)),
        )
        for row in rows
    }


@pytest.mark.slow
@pytest.mark.parametrize(("catalogue", "language"), CATALOGUES)
def test_the_message_catalogue_contains_exactly_the_messages_of_the_website(
    catalogue: GettextDomainCatalogues, language: str
) -> None:
    catalog = catalogue.read(language)
    assert keys(catalog) == keys(catalogue.collect()), "make words, and translate what is new"
    assert catalog.obsolete == {}
    assert [row.id for row in catalog if row.id and row.fuzzy] == []


@pytest.mark.parametrize(("catalogue", "language"), CATALOGUES)
def test_every_message_of_the_website_is_translated_with_the_same_placeholders(
    catalogue: GettextDomainCatalogues, language: str
) -> None:
    assert list_missing(catalogue.read(language)) == []


@pytest.mark.parametrize(("catalogue", "language"), CATALOGUES)
def test_compiled_messages_are_up_to_date_with_their_catalogue(
    catalogue: GettextDomainCatalogues, language: str
) -> None:
    with catalogue.path(language).with_suffix(".mo").open("rb") as file:
        made = read_mo(file)
    assert strings(made) == strings(catalogue.read(language)), "make words"


def test_untranslated_messages_and_wrong_placeholders_are_detected() -> None:
    catalog = Catalog(locale="zh_Hant")
    catalog.add("Games", "遊戲")
    catalog.add("Leagues")
    catalog.add("by %(owner)s", "作者：%(author)s", flags=["python-format"])
    catalog.add("{seat} passes.", "{saet} 跳過。")
    assert [line.split(":")[0] for line in list_missing(catalog)] == ["Leagues", "by %(owner)s", "{seat} passes."]


def test_an_incomplete_catalogue_is_not_compiled(tmp_path: Path) -> None:
    catalog = Catalog(locale="zh_Hant")
    catalog.add("Leagues")
    files = GettextDomainCatalogues(domain="site", folder=tmp_path, collect=Catalog)
    files.path("zh_Hant").parent.mkdir(parents=True)
    with files.path("zh_Hant").open("wb") as file:
        write_po(file, catalog)
    with pytest.raises(InvalidCatalogueError, match="such as 'Leagues': translate it there"):
        files.compile("zh_Hant")
    assert not files.path("zh_Hant").with_suffix(".mo").exists()


@pytest.mark.slow
def test_translatable_messages_are_collected_from_templates_code_and_data_tables() -> None:
    said: dict[object, Message] = {row.id: row for row in collect_catalogue() if row.id}
    assert said["Leaderboards"].locations[0][0] == "frontend/templates/frontend/base.html"
    assert ("%(unread)s new notice", "%(unread)s new notices") in said
