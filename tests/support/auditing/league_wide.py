"""Leagues that an organiser cancelled or corrected: honestly, and against the rules with the server's key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from ftk_core.league import league_correction_command_handlers
from ftk_core.league.intervention_facts import (
    BotWithdrew,
    LeagueCancelled,
    LeagueCorrected,
    LeagueExtended,
    WithdrawnBotReturned,
)
from ftk_core.league.league_command_handlers import proceed, record
from ftk_core.league.league_facts import BotEntered, LeagueClosed, LeagueFact, ResultRecorded
from ftk_core.league.league_state import LeagueState
from ftk_core.league.organiser_command_handlers import withdraw_from_league
from ftk_core.league.statistics.round_seed_hash_chain import anchor_of
from ftk_core.random_streams import seal_of
from tests.support.auditing.leagues import FORMATS, BusyLeague, play_busy_league
from tests.support.auditing.rigged import SWISS, RiggedLeague, rig_between_rounds, rig_within_round
from tests.support.stages import build_opening_fact, stage

ACTED = {"by": "ada", "why": "we like it"}
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
    run.append(league_correction_command_handlers.cancel_league(run.league, run.hand()))
    run.follow(proceed(run.league, run.link(), run.at))
    return run


def cancelled_after_a_round() -> RiggedLeague:
    """Cancel a league in which the friend has lost two rounds."""
    return rig_between_rounds(lambda run: run.append(_cancelled(run, by="ada")))


def shared_deals_with_remote_bots() -> RiggedLeague:
    """Announce a league with remote bots that can remember the deal, which all matches of a table share."""
    return RiggedLeague(replace(SWISS, games=2, deals="same"), kinds=("uploaded", "remote"))


def cancelled_by_nobody() -> RiggedLeague:
    """Cancel a league without a named organiser."""
    return _cancel_and_close(by="")


def entered_after_the_cancellation() -> RiggedLeague:
    """Enter a bot in a cancelled league."""
    return _cancel_and_close(BotEntered(entry=9, version=999, name="friend", author="eve"), by="ada")


def more_bots_than_an_author_may_without_a_name() -> RiggedLeague:
    """Enter three bots of a friend without a name of their author, where an author may enter two."""
    run = RiggedLeague(SWISS, entries=5, per_author=2)
    for entry in (6, 7, 8):
        run.append(BotEntered(entry=entry, version=900 + entry, name=f"friend{entry}", author=" "))
    return run


def removed_by_nobody() -> RiggedLeague:
    """Withdraw the leading entry without a named organiser."""
    return rig_between_rounds(lambda run: run.append(BotWithdrew(entry=1, reason="", at=run.at)))


def played_under_other_ids_until_it_pleases() -> RiggedLeague:
    """Play a match under several ids, which bots use as their seeds, and record only the result that pleases."""

    def done(run: RiggedLeague, result: ResultRecorded) -> Sequence[LeagueFact]:
        return record(run.league, replace(result, match="0123456789ab"))

    return rig_within_round(done)


def secret_that_anybody_knows() -> RiggedLeague:
    """Announce and reveal the secret of a league that has no digits, so that all deals are known beforehand."""
    run = RiggedLeague(SWISS, entries=0)
    run.secret = b""
    run.facts, run.league = [], LeagueState()
    run.append(build_opening_fact(SWISS, secret_seal=seal_of(b""), luck=anchor_of(b"")))
    for number in range(1, 9):
        run.enter(f"author {number}")
    return run


def extended_by_a_part_of_a_schedule() -> RiggedLeague:
    """Extend a stage so that only some bots of a group, which had played all its rounds, meet again."""

    def done(run: RiggedLeague) -> None:
        run.append(LeagueExtended(rounds=6, **ACTED, at=run.at))

    return rig_between_rounds(done, stage("groups", groups=2), after=4, entries=9)


def brought_back_into_a_stage_of_others() -> RiggedLeague:
    """Bring an entry back that withdrew before the knockout began."""

    def done(run: RiggedLeague) -> None:
        run.append(WithdrawnBotReturned(entry=4, **ACTED, at=run.at))

    run = rig_between_rounds(done, stage("knockout"), after=1, entries=5)
    run.append(withdraw_from_league(run.league, 4, run.hand()))
    return run


def corrected_deadline_after_the_start() -> RiggedLeague:
    """Move the entry deadline of a league that has begun."""
    return rig_between_rounds(lambda run: run.append(_corrected(run, entries_until=run.at + 9)))


def deadline_corrected_into_the_past() -> RiggedLeague:
    """Move the entry deadline to a time that has passed."""
    run = RiggedLeague(SWISS)
    run.append(_corrected(run, entries_until=run.at))
    return run


def corrected_without_a_name() -> RiggedLeague:
    """Take the name of a league away."""
    return rig_between_rounds(lambda run: run.append(_corrected(run, name=" ")))


def corrected_to_what_it_was() -> RiggedLeague:
    """Claim a correction that changes nothing."""
    return rig_between_rounds(lambda run: run.append(_corrected(run, name="Night")))


def corrected_to_a_control_character() -> RiggedLeague:
    """Hide an escape sequence for terminals in the description."""
    return rig_between_rounds(lambda run: run.append(_corrected(run, description="Tea\n\x1b[2Jis at eight.")))


def corrected_by_nobody() -> RiggedLeague:
    """Rename a league without a named organiser."""
    return rig_between_rounds(lambda run: run.append(_corrected(run, by="", name="Day")))


def _corrected(run: RiggedLeague, by: str = "ada", **terms: Any) -> LeagueCorrected:
    return LeagueCorrected(by=by, at=run.at, why="a typing error", **terms)


def _cancel_and_close(*facts: LeagueFact, by: str) -> RiggedLeague:
    """Return a cancelled league with facts between its cancellation and its end."""
    run = RiggedLeague(SWISS)
    run.append(_cancelled(run, by), *facts, LeagueClosed(run.secret.hex()))
    return run


def _cancelled(run: RiggedLeague, by: str) -> LeagueCancelled:
    return LeagueCancelled(by=by, at=run.at, why="too few bots")
