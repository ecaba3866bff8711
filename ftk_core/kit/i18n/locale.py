"""Selection of the language of `ftk`, and translation of its help and error messages.

The first of the environment variables `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` and `LANG` that is set selects the language.
The default is English.
"""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer

from ftk_core.i18n import BUILT_IN_LANGUAGES, ENGLISH, Language, select_language

DOMAIN = "ftk"
FOLDER = Path(__file__).parents[1] / "locale"
LOCALE_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables in gettext's order of precedence."""
USAGE_MESSAGES = (
    "Did you mean {names}?",
    "Got unexpected extra argument ({words})",
    "Got unexpected extra arguments ({words})",
    "Invalid value for {name}: {error}",
    "Missing argument {name}.",
    "Missing option {name}.",
    "No such option: {name}",
    "No such option: {name} Did you mean {names}?",
    "No such option: {name} (Possible options: {names})",
    "Option {name} requires an argument.",
    "{value} is not a valid integer.",
    "{value} is not a valid float.",
    "{value} is not in the range {span}.",
    "{value} is not one of {names}.",
    "Input should be a valid integer, unable to parse string as an integer",
    "Input should be a valid number, unable to parse string as a number",
)
"""Patterns of messages that the command-line parser does not translate itself, because it bypasses gettext for them."""
FIELD = re.compile(r"\{(\w+)\}")
HELP_ATTRIBUTES = ("help", "short_help", "epilog")


def choose_language(environment: Mapping[str, str]) -> Language:
    """Return the language that an environment selects; English by default.

    >>> choose_language({"LC_ALL": "C", "LANG": "en_GB.UTF-8"}).name
    'English'
    """
    setting = next((value for name in LOCALE_VARIABLES if (value := environment.get(name))), "")
    selected = (language for locale in setting.split(":") if locale and (language := select_language(locale)))
    return next(selected, BUILT_IN_LANGUAGES[ENGLISH])


def translate_command(command: Any) -> None:
    """Select the language of all messages from the environment variables, and translate a command's help."""
    language = choose_language(os.environ)
    if language.tag != ENGLISH:
        os.environ["LANGUAGE"] = language.folder  # gettext finds a catalogue by its folder
        gettext.bindtextdomain(DOMAIN, str(language.catalogues or FOLDER))
        gettext.textdomain(DOMAIN)
        translate_help(command)


def translate_help(command: Any) -> None:
    """Translate the help of a command and of its loaded subcommands."""
    for one in list_help_parts(command) if gettext.textdomain() == DOMAIN else ():
        for name in HELP_ATTRIBUTES:
            if help_text := getattr(one, name, None):
                setattr(one, name, gettext.gettext(help_text))


def list_help_parts(command: Any) -> Iterator[Any]:
    """Yield all parts of a command that have a help text."""
    yield command
    yield from command.params
    if help_option := command.get_help_option(typer.Context(command)):
        yield help_option
    commands = getattr(command, "commands", {})
    for inner in getattr(commands, "loaded", commands).values():
        yield from list_help_parts(inner)


def translate_line(text: str) -> str:
    """Translate a text that is in the message catalogue; return every other text unchanged."""
    return gettext.gettext(text) if text and gettext.textdomain() == DOMAIN else text


def translate_usage(text: str) -> str:
    """Translate an error message of the command-line parser, and the values in it."""
    if gettext.textdomain() != DOMAIN:
        return text
    before, hint, names = text.removesuffix("?").partition(". Did you mean ")
    if hint:
        return translate_usage(before) + gettext.gettext("Did you mean {names}?").format(names=names)
    for pattern in sorted(USAGE_MESSAGES, key=len, reverse=True):
        parts = FIELD.split(pattern)
        expression = "".join(f"(?P<{part}>.+)" if at % 2 else re.escape(part) for at, part in enumerate(parts))
        if found := re.fullmatch(expression, text):
            values = {name: translate_usage(value) for name, value in found.groupdict().items()}
            return gettext.gettext(pattern).format_map(values)
    return gettext.gettext(text)
