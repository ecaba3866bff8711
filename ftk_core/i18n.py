"""Registry of the languages of the site and of the command-line program `ftk`; translation of the core's texts.

`languages.json` lists the languages; the site, `ftk` and the match viewer read this file. English texts are in the
code. The texts of other languages are in gettext catalogues, in the folder `locale` of each package that has texts.
"""

from __future__ import annotations

import gettext
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

Texts = Callable[[str], Mapping[str, str]]
"""(language tag) -> texts by key. For an unknown language these are the English texts."""
MAX_CACHED_LANGUAGES = 32
"""Maximum number of languages cached per table of texts. Clients choose the tags, so the cache needs a limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Language in the registry `languages.json`."""

    tag: str
    """BCP 47 tag, as used in URLs, requests and stored accounts, e.g. ``pt-BR``."""
    name: str
    """Name of the language, written in the language itself."""
    short: str
    """Short form of `name` for the button that switches to the language."""
    locales: str
    """Regular expression for the locales and browser languages that select the language; case does not matter."""

    @property
    def code(self) -> str:
        """Code of the language in Django, e.g. ``pt-br``."""
        return self.tag.lower()

    @property
    def folder(self) -> str:
        """Name of the language's folders of catalogues and formats, e.g. ``pt_BR``."""
        return self.tag.replace("-", "_")

    def matches(self, locale: str) -> bool:
        """Return whether a locale such as ``en_GB.UTF-8`` selects this language."""
        return bool(re.search(self.locales, locale.replace("_", "-"), re.IGNORECASE))


ENGLISH = "en"
REGISTRY_FILE = Path(__file__).with_name("languages.json")
LANGUAGES = {row["tag"]: Language(**row) for row in json.loads(REGISTRY_FILE.read_bytes())}
"""Language tag -> language; English is the first."""
TRANSLATED_LANGUAGES = tuple(language for language in LANGUAGES.values() if language.tag != ENGLISH)
if TYPE_CHECKING:
    LanguageTag = str
else:
    LanguageTag = Literal[tuple(LANGUAGES)]
    """Type of a field that holds a language tag."""


def N_(message: str) -> str:  # noqa: N802 - gettext's usual name for it
    """Mark a message that is translated later, when it is shown; return it unchanged."""
    return message


class Message(str):
    """English text that remembers its template and values, so that it can be translated where it is shown.

    The template has fields such as ``%(league)s``; a value may be a message itself.

    >>> Message("%(league)s is over", league="Night")
    'Night is over'
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, **values: object) -> Self:
        """Make a message from a template and its values. Without values, the template itself is the text."""
        message = super().__new__(cls, template % values if values else template)
        message.template, message.values = template, values
        return message

    def __reduce__(self) -> tuple[Callable[[str], str], tuple[str]]:
        """Pickle the English text only, as a plain string: the template and the values are lost."""
        return str, (str(self),)

    def translated(self, translate: Callable[[str], str]) -> str:
        """Return the text with its template and its nested messages translated by a gettext function."""
        values = {
            name: value.translated(translate) if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        return translate(self.template) % values if values else translate(self.template)


def no_texts(_language: str) -> Mapping[str, str]:
    """Return no texts in any language: the default for a kind of text that a game does not have, such as tooltips."""
    return {}


class Catalogue:
    """English texts of a package, and their translations in the package's folder ``locale``.

    The language is an argument of each function, because a server shows a match in several languages at once.
    """

    def __init__(self, package: Path) -> None:
        self.domain, self.folder = package.name, package / "locale"
        self.messages: dict[str, str] = {}
        """English text -> the first key registered for it, as a hint for translators."""

    def texts(self, english: Mapping[str, str]) -> Texts:
        """Register English texts by key; return a function from a language code to the same table in that language."""
        for key, text in english.items():
            self.messages.setdefault(text, key)

        @lru_cache(MAX_CACHED_LANGUAGES)
        def translated(language: str) -> Mapping[str, str]:
            translate = self._translations(language).gettext
            return {key: translate(text) for key, text in english.items()}

        return translated

    def labels(self, english: Iterable[str]) -> Texts:
        """Register texts that are their own keys, such as labels of pieces; return a function as `texts` does."""
        return self.texts({text: text for text in english})

    def _translations(self, language: str) -> gettext.NullTranslations:
        if language == ENGLISH or language not in LANGUAGES:
            return gettext.NullTranslations()
        return gettext.translation(self.domain, self.folder, [LANGUAGES[language].folder], fallback=True)
