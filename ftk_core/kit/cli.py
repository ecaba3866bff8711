"""The `ftk` command: play, compare, check, verify and upload bots from a shell."""
# The module of a command is imported when the command is called, so that `ftk --help` is fast.

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

import typer

from ftk_core.i18n import N_
from ftk_core.kit.command_group import LazyCommandGroup, LazySubcommand


class FtkCommands(LazyCommandGroup):
    """Command group of `ftk`, with its subcommands in the sections that `ftk --help` prints."""

    sections: ClassVar[Mapping[str, tuple[LazySubcommand, ...]]] = {
        N_("Write a bot"): (
            LazySubcommand("games", "schema.schemas", N_("List the games and their built-in bots")),
            LazySubcommand("new", "new_bot.beginning", N_("Create the folder of a bot that plays at once")),
            LazySubcommand("new-game", "new_bot.beginning", N_("Create the package of a game that plays at once")),
            LazySubcommand(
                "check", "bot_check_command.checking", N_("Play the trial match that every upload has to pass")
            ),
            LazySubcommand(
                "protocol", "protocol_conformance.protocols", N_("Test how a bot handles the protocol's rare cases")
            ),
            LazySubcommand("schema", "schema.schemas", N_("Print a JSON Schema of the lines that a bot exchanges")),
            LazySubcommand("doctor", "doctor.doctoring", N_("Find out if this machine can play and upload bots")),
        ),
        N_("Play and compare"): (
            LazySubcommand("play", "play.playing", N_("Play matches between bots, and rate them")),
            LazySubcommand("gauntlet", "play.playing", N_("Play a bot against each of several opponents")),
            LazySubcommand("compare", "compare.comparing", N_("Test if a new version is better than an old one")),
            LazySubcommand(
                "league", "upload_and_league_entry.leagues", N_("Simulate a league, announce it, or print its sheets")
            ),
        ),
        N_("Look into matches"): (
            LazySubcommand("watch", "watch.watching", N_("Show a match in the arena's viewer")),
            LazySubcommand("story", "verify_and_story.logs", N_("Print matches as sentences")),
            LazySubcommand("review", "review.reviewing", N_("Find the costliest choices and the share of luck")),
            LazySubcommand("whatif", "whatif.whatif", N_("Play on from a choice, as made and otherwise")),
            LazySubcommand("rerun", "rerun.rerunning", N_("Ask a bot again all questions of a match")),
            LazySubcommand("at", "rerun.rerunning", N_("Print the question that a seat was asked")),
            LazySubcommand("repro", "rerun.repro", N_("Extract the part of a match that shows a fault")),
            LazySubcommand("verify", "verify_and_story.logs", N_("Verify logs of matches and exported leagues")),
        ),
        N_("Your account on an arena"): (
            LazySubcommand("login", "login.account", N_("Get a token through the browser")),
            LazySubcommand("whoami", "login.account", N_("Show whose token this is, and what it permits")),
            LazySubcommand("logout", "login.account", N_("Revoke the token and delete it here")),
        ),
        N_("Your bots on an arena"): (
            LazySubcommand("upload", "upload_and_league_entry.online", N_("Upload a bot; it plays a trial match")),
            LazySubcommand("versions", "bot_versions_and_logs.mine", N_("List the versions of a bot")),
            LazySubcommand("activate", "bot_versions_and_logs.mine", N_("Let an older version play again")),
            LazySubcommand("logs", "bot_versions_and_logs.mine", N_("Download the logs of a bot's matches")),
            LazySubcommand("enter", "upload_and_league_entry.online", N_("Enter a bot in a league")),
            LazySubcommand("challenge", "challenge.challenges", N_("Request matches against other bots")),
            LazySubcommand("remote", "remote_bot_command.remotely", N_("Play a bot's matches from this machine")),
            LazySubcommand("mcp", "mcp.agents", N_("Let an agent program play (Model Context Protocol)")),
        ),
    }


def _print_versions(ctx: typer.Context, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from ftk_core.kit.version_output import print_versions  # here, because it loads the HTTP client

        print_versions()
        raise typer.Exit


app = typer.Typer(cls=FtkCommands, no_args_is_help=True, rich_markup_mode=None)


@app.callback(epilog="`ftk COMMAND --help` explains a command.")
def ftk(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=_print_versions,
            help="Print the version and build of the kit, and of the arena in FTK_SERVER.",
        ),
    ] = False,
) -> None:
    """Play, check and upload board-game bots."""
