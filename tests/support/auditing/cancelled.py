"""Leagues that an organiser cancelled: honestly, and against the rules with the server's key."""

from __future__ import annotations

from ftk_core.league import league_wide_commands
from ftk_core.league.league_commands import proceed
from ftk_core.league.league_facts import BotEntered, LeagueClosed, LeagueFact
from ftk_core.league.organiser_facts import LeagueCancelled
from tests.support.auditing.leagues import FORMATS, BusyLeague, play_busy_league
from tests.support.auditing.rigged import SWISS, RiggedLeague, rig_between_rounds

CANCELLED = "cancelled"
KINDS = (*FORMATS, CANCELLED)
"""Names of all leagues that `play_league_of_kind` can play."""


def play_league_of_kind(name: str, seed: int) -> BusyLeague:
    """Return a league of a format, played as far as possible, or one that was cancelled after some acts."""
    if name != CANCELLED:
        return play_busy_league(name, seed)
    run = BusyLeague(*FORMATS["swiss"], entries=6 + seed % 7, seed=seed)
    for _ in range(6):
        run.tries(*run.deeds())
    run.append(league_wide_commands.cancel_league(run.league, run.hand()))
    run.follow(proceed(run.league, run.link(), run.at))
    return run


def cancelled_after_a_round() -> RiggedLeague:
    """Cancel a league in which the friend has lost two rounds."""
    return rig_between_rounds(lambda run: run.append(_cancelled(run, by="ada")))


def cancelled_by_nobody() -> RiggedLeague:
    """Cancel a league without a named organiser."""
    return _cancel_and_close(by="")


def entered_after_the_cancellation() -> RiggedLeague:
    """Enter a bot in a cancelled league."""
    return _cancel_and_close(BotEntered(entry=9, version=999, name="friend", author="eve"), by="ada")


def _cancel_and_close(*facts: LeagueFact, by: str) -> RiggedLeague:
    """Return a cancelled league with facts between its cancellation and its end."""
    run = RiggedLeague(SWISS)
    run.append(_cancelled(run, by), *facts, LeagueClosed(run.secret.hex()))
    return run


def _cancelled(run: RiggedLeague, by: str) -> LeagueCancelled:
    return LeagueCancelled(by=by, at=run.at, why="too few bots")
