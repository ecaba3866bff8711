"""Command groups of `ftk`, which import a subcommand only when it is called."""
# This module is imported for every command line, `ftk --help` included, so it imports as little as possible.

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from gettext import gettext as _
from importlib import import_module
from io import TextIOWrapper
from typing import Any, ClassVar

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

from ftk_core.kit.i18n.locale import translate_command, translate_help, translate_usage

EXIT_WRONG_INPUT, EXIT_INTERRUPTED = 2, 130
_usage = typer.BadParameter.__base__
assert _usage is not None
UsageError: type[Exception] = _usage
"""Base class of the command-line parser's usage errors, which typer does not export."""


class CommandGroup(TyperGroup):
    """A command group of typer with the error messages and exit codes of `ftk`."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command named in the arguments, and end the program with the command's exit code."""
        extra |= {"prog_name": "ftk", "standalone_mode": False}
        if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
            sys.stdout.reconfigure(errors="replace")  # a terminal without a character shows a question mark
        try:
            if "--json" not in (extra.get("args") or (args and args[0]) or sys.argv[1:]):  # JSON stays in English
                translate_command(self)
            code = super().main(*args, **extra)
        except UsageError as error:
            code = _refused(error)
        except typer.Abort:
            code = EXIT_INTERRUPTED
        except RuntimeError as error:
            from ftk_core.plugins import PluginError  # loads the metadata of installed packages: not for --help

            if not isinstance(error, PluginError):
                raise
            sys.stderr.write(f"ftk: {error}\n")
            code = EXIT_WRONG_INPUT
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        """Run a subcommand, and end its child processes on SIGTERM or SIGHUP."""
        from ftk_core.kit.protocol.child_termination import exit_on_signals  # loads multiprocessing: not for --help

        with exit_on_signals():
            return super().invoke(ctx)


def _refused(error: Any) -> int:
    if error.ctx is None:
        sys.stderr.write(f"ftk: {translate_usage(_one_line(error))}\n")
    elif type(error).__name__ == "NoArgsIsHelpError":
        sys.stderr.write(f"{error.ctx.get_help()}\n")
    else:
        where = error.ctx.command_path
        see = _("See `{command} --help`.").format(command=where)
        sys.stderr.write(f"{where}: {translate_usage(_one_line(error))} {see}\n")
    return EXIT_WRONG_INPUT


def _one_line(error: Any) -> str:
    return " ".join(error.format_message().split())


@dataclass(frozen=True, slots=True)
class LazySubcommand:
    """Name and summary of a subcommand, and the path from which it is imported when it is called."""

    name: str
    import_path: str
    """Module in `ftk_core.kit.commands` and its `typer.Typer` object, such as ``play.playing``."""
    summary: str
    """Line about the command in the help of its group, in English; at most 60 characters."""


class LazySubcommandMapping(Mapping[str, Any]):
    """Subcommands by name, each imported when it is looked up."""

    def __init__(self, entries: Mapping[str, LazySubcommand], shared_option: Any) -> None:
        """Store the subcommands.

        Every subcommand also accepts the option `shared_option`, which its help does not list.
        """
        self._entries = entries
        self._shared_option = copy(shared_option)
        self._shared_option.name = f"{shared_option.name} of ftk"  # `ftk activate` has an argument of the same name
        self._shared_option.expose_value, self._shared_option.hidden = False, True
        self.loaded: dict[str, Any] = {}
        """Commands that were looked up so far."""

    def __getitem__(self, name: str) -> Any:
        if name not in self.loaded:
            self.loaded[name] = self._load(self._entries[name])
        return self.loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def load_all(self) -> None:
        """Import all commands."""
        for name in self:
            self[name]

    def _load(self, entry: LazySubcommand) -> Any:
        module, _dot, attribute = entry.import_path.rpartition(".")
        group: Any = typer.main.get_group(getattr(import_module(f"ftk_core.kit.commands.{module}"), attribute))
        command = group.commands.get(entry.name, group)
        command.name = entry.name
        for one in (command, *getattr(command, "commands", {}).values()):
            if not any(set(param.opts) & set(self._shared_option.opts) for param in one.params):
                one.params.append(self._shared_option)
        translate_help(command)
        return command


class LazyCommandGroup(CommandGroup):
    """A command group whose subcommands are imported when they are called; its help lists them by section."""

    sections: ClassVar[Mapping[str, tuple[LazySubcommand, ...]]] = {}
    """Title of a section in the help -> its commands."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.entries = {entry.name: entry for entries in self.sections.values() for entry in entries}
        (version,) = (param for param in self.params if param.name == "version")
        self.commands: Any = LazySubcommandMapping(self.entries, version)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the parser's signature
        """Return the names of all commands without importing them."""
        return list(self.entries)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - the parser's signature
        """Write the sections of commands, each command with its summary."""
        for title, entries in self.sections.items():
            with formatter.section(_(title)):
                formatter.write_dl([(entry.name, _(entry.summary)) for entry in entries])

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return the completions of a word without importing any command."""
        commands = self.commands
        self.commands = {name: TyperCommand(name, short_help=_(entry.summary)) for name, entry in self.entries.items()}
        try:
            return super().shell_complete(ctx, incomplete)
        finally:
            self.commands = commands
