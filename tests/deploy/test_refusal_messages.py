"""Messages of refusals: all of them go through gettext."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from foundation.message_translation import with_full_stop
from ftk_core.i18n import Message
from ftk_core.league.league_state import CommandRejected

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("bots", "foundation", "frontend", "notices", "people", "replays", "tournaments")
SPOKEN = {"gettext", "gettext_lazy", "gettext_noop", "ngettext", "pgettext", "_"}
TELLING = {"refused", "problem", "ValidationError", "add_error"}
"""Calls whose texts are shown to people, besides raised errors and `messages.*`."""
ENGLISH = {
    **dict.fromkeys(("ValueError", "TypeError", "LookupError", "OSError", "PermissionError"), "faults of callers"),
    **dict.fromkeys(
        ("SandboxUnavailable", "BotBuildError", "UnknownProcessorError"), "kept by workers, for who runs the arena"
    ),
    **dict.fromkeys(
        (
            "MatchLeaseLost",
            "ReviewAbandonedError",
            "LogWriteConflictError",
            "BrokenHashChainError",
            "DemoStalledError",
            "NoAnswerError",
        ),
        "written to logs",
    ),
    "HostMemoryError": "written to logs",
    **dict.fromkeys(
        ("CommandError", "InvalidCommandInputError", "ArgumentTypeError", "BotStartError"), "said at a shell"
    ),
    **dict.fromkeys(
        ("ArchivingError", "DiagnosticsChangedError", "CompressionDictionaryTrainingError"),
        "said at a shell, or logged",
    ),
    **dict.fromkeys(("ImproperlyConfigured", "SigningKeyError"), "said where an arena does not start"),
    **dict.fromkeys(("Pending", "InvalidUserCodeError"), "of RFC 8628, whose error_description is ASCII"),
    "record_refusal": "an act as the console records it; why it was refused is a pattern of the catalogue",
    "WebhookDeliveryError": "kept with a delivery, by a worker",
    "WorkerDrainingError": "said by a worker to its log",
    "InvalidCursorError": "of a program that made a cursor up",
}
"""Errors with English messages, with the reason."""


def bare_in(source: str) -> Iterator[int]:
    """Yield the lines with a message that does not go through gettext."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            if name_of(node.exc) not in ENGLISH:
                yield from sentences_in(node.exc)
        elif isinstance(node, ast.Call):
            by_messages = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "messages"
            if by_messages or name_of(node) in TELLING:
                yield from sentences_in(node)
            if name_of(node) in SPOKEN:
                yield from (text.lineno for text in node.args if isinstance(text, ast.JoinedStr))


def name_of(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def sentences_in(node: ast.AST) -> Iterator[int]:
    """Yield the lines of texts that contain words, except arguments of calls."""
    for inner in ast.iter_child_nodes(node):
        if is_sentence(inner):
            yield inner.lineno  # type: ignore[attr-defined]  # a text stands on a line
        elif isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Mod):
            yield from sentences_in(ast.Tuple([inner.left], ast.Load()))
        elif not isinstance(inner, ast.Call | ast.JoinedStr):
            yield from sentences_in(inner)


def is_sentence(node: ast.AST) -> bool:
    """Return True if a node is a text for people: words and a blank, or letters around a field."""
    if isinstance(node, ast.JoinedStr):
        parts = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
        return any(letter.isalpha() for letter in parts)
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip()


@pytest.mark.slow
def test_every_refusal_message_is_translatable() -> None:
    files = [file for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    ours = [file for file in files if not {"migrations", "management"} & set(file.parts)]
    assert len(ours) > 200
    bare = [
        f"{file.relative_to(ROOT)}:{line}" for file in sorted(ours) for line in sorted(set(bare_in(file.read_text())))
    ]
    assert bare == [], "gettext(pattern) % words"


def formatted_in(source: str) -> Iterator[int]:
    """Yield the lines of refusals of the core that are formatted before they can be translated."""
    for node in ast.walk(ast.parse(source)):
        called = ast.unparse(node.func) if isinstance(node, ast.Call) and node.args else ""
        if called in {"CommandRejected", "Message"} and isinstance(node.args[0], ast.JoinedStr | ast.BinOp):
            yield node.lineno


def test_every_refusal_of_a_league_command_is_a_template_that_pages_can_translate() -> None:
    files = [file for file in sorted((ROOT / "ftk_core/league").rglob("*.py")) if "event_audit" not in file.parts]
    assert [f"{file.name}:{line}" for file in files for line in formatted_in(file.read_text("utf-8"))] == []
    assert list(formatted_in('raise CommandRejected(f"{league} is over")')) == [1]


def test_the_error_of_a_rejected_league_command_is_shown_in_the_language_of_the_page() -> None:
    flaw = Message("the status of %(bot)s has changed since the draft", bot="ada")
    refusal = CommandRejected("%(flaw)s; draft round %(round)s again", flaw=flaw, round=2)
    assert str(refusal) == "the status of ada has changed since the draft; draft round 2 again"
    with translation.override("zh-hant"):
        assert with_full_stop(refusal) == "ada 的狀態在擬定之後已有變動；請重新擬定第 2 輪。"
        assert with_full_stop(ValueError("of another kind")) == "of another kind。"


@pytest.mark.parametrize(
    "source",
    [
        'raise CommandRejected(f"{bot} plays {game}")',
        'raise CommandRejected("somebody has decided on it already")',
        'raise NewKind("code", f"no {bot}")',
        'raise ValidationError({"after": "no such cursor"})',
        'messages.error(request, "this was not kept")',
        'messages.success(request, f"{bot} was taken in.")',
        'refused(409, "over", "the match is over")',
        'form.add_error("url", f"{url} is no address")',
        'gettext(f"there is no bot {slug}")',
        'raise CommandRejected("%(bot)s is banned" % {"bot": bot})',
    ],
)
def test_an_untranslatable_refusal_message_is_detected(source: str) -> None:
    assert set(bare_in(source)) == {1}


@pytest.mark.parametrize(
    "source",
    [
        'raise CommandRejected(gettext("%(bot)s plays %(game)s") % {"bot": f"a {bot}"})',
        "raise CommandRejected(str(error))",
        'raise ValueError(f"{self} is immutable")',
        'messages.error(request, f"{error}.")',
        'refused(409, "over", gettext("the match is over"))',
    ],
)
def test_the_translation_check_ignores_translated_reraised_and_internal_messages(source: str) -> None:
    assert list(bare_in(source)) == []
