"""Registry of the user-interface languages, and translation of the core's texts.

English texts are in the code. Translations are gettext catalogues in the ``locale`` folder of each package. Plug-ins
can add languages.
"""

from __future__ import annotations

import gettext
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Self

Texts = Callable[[str], Mapping[str, str]]
"""(language tag) -> texts by key. For an unknown language these are the English texts."""
MAX_CACHED_LANGUAGES = 32
"""Maximum number of languages in each cache of translated texts. Clients can request any language tag."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Language of the registry `languages.json`, or of a plug-in."""

    tag: str
    """BCP 47 tag, as used in URLs, requests and stored accounts, e.g. ``pt-BR``."""
    name: str
    """Name of the language, written in the language itself."""
    short: str
    """Short form of `name` for the button that switches to the language."""
    locales: str
    """Regular expression for the locales and browser languages that select the language; case does not matter."""
    package: Path | None = None
    """Folder of the plug-in package that contains the language's files; None for a built-in language."""

    @property
    def code(self) -> str:
        """Code of the language in Django, e.g. ``pt-br``."""
        return self.tag.lower()

    @property
    def folder(self) -> str:
        """Name of the language's folder, both for gettext catalogues and for date formats, e.g. ``pt_BR``."""
        return self.tag.replace("-", "_")

    @property
    def catalogues(self) -> Path | None:
        """Folder of a plug-in language's gettext catalogues; None for a built-in language."""
        return self.package / "locale" if self.package else None

    def matches(self, locale: str) -> bool:
        """Return whether a locale such as ``en_GB.UTF-8`` selects this language."""
        return bool(re.search(self.locales, locale.replace("_", "-"), re.IGNORECASE))


ENGLISH = "en"
REGISTRY_FILE = Path(__file__).with_name("languages.json")
BUILT_IN_LANGUAGES = {row["tag"]: Language(**row) for row in json.loads(REGISTRY_FILE.read_bytes())}
"""Language tag -> language whose catalogues are in this repository; English is the first."""
TRANSLATED_LANGUAGES = tuple(language for language in BUILT_IN_LANGUAGES.values() if language.tag != ENGLISH)
"""Built-in languages that need catalogues."""


@cache
def list_languages() -> Mapping[str, Language]:
    """Return all languages by tag, built-in ones first. Raises PluginError for a plug-in with an unusable language."""
    # imported here: it loads importlib.metadata (80 ms), which `ftk --help` in a built-in language does not need
    from ftk_core.plugins.installed_language_packages import read_language_packages

    return BUILT_IN_LANGUAGES | {
        tag: Language(tag=tag, name=row.name, short=row.short, locales=row.locales, package=folder)
        for tag, folder, row in read_language_packages(BUILT_IN_LANGUAGES)
    }


def find_language(tag: str) -> Language | None:
    """Return the language with a tag, or None if it is not installed."""
    # A built-in language wins over a plug-in's language with the same tag.
    return BUILT_IN_LANGUAGES.get(tag) or list_languages().get(tag)


def select_language(locale: str) -> Language | None:
    """Return the first language that matches a locale such as ``en_GB.UTF-8``, or None if no language matches."""
    # Plug-ins are read only if no built-in language matches, because that is slow.
    built_in = next((language for language in BUILT_IN_LANGUAGES.values() if language.matches(locale)), None)
    return built_in or next((language for language in list_languages().values() if language.matches(locale)), None)


def pick_text(texts: Mapping[str, str], language: str) -> str:
    """Return the text in a language from a dict (language tag -> text), or the English text if it is missing."""
    return texts.get(language) or texts[ENGLISH]


JOINERS = "\u200c\u200d"
"""Invisible characters that join or separate their neighbours, which some scripts and emojis need."""


def join_spaces(text: str) -> str:
    """Return a text with each run of spaces, of all scripts, as one plain space, and without spaces at its ends.

    >>> join_spaces(f" a{chr(0x3000)} b{chr(0xA0)}c ")
    'a b c'
    """
    return re.sub(r"[^\S\t\n\v\f\r]+", " ", text).strip()


def is_printable(character: str) -> bool:
    """Return True for visible characters and for the spaces of all scripts, such as the wide Chinese space.

    >>> [is_printable(character) for character in ("a", chr(0x3000), chr(27), chr(0x202E))]
    [True, True, False, False]
    """
    return character.isprintable() or unicodedata.category(character) == "Zs"


def is_printable_text(text: str) -> bool:
    """Return True if a text has only visible characters, spaces of all scripts, and joiners."""
    return all(character in JOINERS or is_printable(character) for character in text)


def N_(message: str) -> str:  # noqa: N802 - gettext's usual name for it
    """Mark a message for the tools that collect texts to translate; return it unchanged, in English."""
    return message


class Message(str):
    """English text with its template and values, so that it can be translated when it is shown.

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
        """Pickle the message as a plain string of its English text, without its template and values."""
        return str, (str(self),)

    def translated(self, translate: Callable[[str], str]) -> str:
        """Translate the message, and all messages among its values, with a gettext function."""
        values = {
            name: value.translated(translate) if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        return translate(self.template) % values if values else translate(self.template)


def no_texts(_language: str) -> Mapping[str, str]:
    """Return an empty dict for every language. It is the default if a game does not define optional texts."""
    return {}


class Catalogue:
    """Message catalogue of one package: it collects the package's English texts and looks up their translations.

    The translations are gettext files in the package's folder ``locale``. A language plug-in can add further files.
    """

    # The language is an argument of each function, because a server shows a match in several languages at once.

    def __init__(self, package: Path) -> None:
        self.domain, self.folder = package.name, package / "locale"
        self.messages: dict[str, str] = {}
        """English text -> the first key registered for it, as a hint for translators."""

    def texts(self, english: Mapping[str, str]) -> Texts:
        """Register English texts by key. Return a function that maps a language tag to the translated texts by key."""
        for key, text in english.items():
            self.messages.setdefault(text, key)

        @lru_cache(MAX_CACHED_LANGUAGES)
        def translated(language: str) -> Mapping[str, str]:
            translate = self._translations(language).gettext
            return {key: translate(text) for key, text in english.items()}

        return translated

    def labels(self, english: Iterable[str]) -> Texts:
        """Register English texts that have no keys of their own.

        Return a function that maps a language tag to a dict (English text -> translated text).
        """
        return self.texts({text: text for text in english})

    def _translations(self, language: str) -> gettext.NullTranslations:
        known = find_language(language) if language != ENGLISH else None
        if known is None:
            return gettext.NullTranslations()
        translations = gettext.translation(self.domain, self.folder, [known.folder], fallback=True)
        if known.catalogues:
            translations.add_fallback(gettext.translation(self.domain, known.catalogues, [known.folder], fallback=True))
        return translations
