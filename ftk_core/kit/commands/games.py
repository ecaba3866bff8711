"""`ftk games`: list the games and their built-in bots."""

from __future__ import annotations

from gettext import gettext as _

import typer

from ftk_core.games import list_games
from ftk_core.kit.built_in_bots import list_built_in_bots, list_search_bots
from ftk_core.kit.entry_point import out

shelf = typer.Typer()


@shelf.command()
def games() -> None:
    """List the games on the shelf and the bots of the house."""
    for name, rules in list_games().items():
        seats = f"{rules.seats.start}-{rules.seats.stop - 1}"
        bots = ", ".join([*list_built_in_bots(name), *list_search_bots(name)])
        out.print(
            _("[bold]{name}[/bold] v{version}  {title}, {seats} seats; bots: {bots}").format(
                name=name, version=rules.version, title=rules.title, seats=seats, bots=bots
            )
        )
