"""Entry of many bots in a league from a CSV list."""
# Each bot on the list must meet the same conditions as a bot that is entered alone.

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext
from msgspec.structs import replace

from bots.models import BotVersion
from bots.versions.queries import find_newest_active_of
from foundation.message_translation import translate_message
from ftk_core.league.league_event_actors import EventActorFields, LeagueActor, attribution_of
from ftk_core.league.league_facts import BotEntered
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.league_state_from_events import fold_facts
from tournaments.leagues.entry_rules import find_closing_reason, make_entry
from tournaments.leagues.league_event_appending import append, lock_league
from tournaments.leagues.league_event_projection import load
from tournaments.models import League

MAX_LINES = 1000
MAX_LIST_BYTES = 200_000
BOT_COLUMN = "bot"


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkEntryLineResult:
    """Result of one line of a list of bots to enter in a league."""

    line: int
    """Number of the line among the lines with bots, from 1."""
    bot: str
    fact: BotEntered | None = None
    """Fact for the league's event stream if the bot enters; otherwise None."""
    entered: bool = False
    """True if the bot had entered before."""
    reason: str = ""
    """Reason why the bot does not enter; empty if it does."""

    @property
    def outcome(self) -> str:
        """Effect of this line of the list: the bot ``enters``, had ``entered`` before, or is ``refused``."""
        return "enters" if self.fact else "entered" if self.entered else "refused"


def parse_bot_list(text: str) -> list[str]:
    """Return the bot names in the column ``bot`` of a CSV text.

    Raises CommandRejected for invalid CSV, a missing column, no bots, or too many lines or bytes.
    """
    size = len(text.encode())
    if size > MAX_LIST_BYTES:
        raise CommandRejected(
            gettext("the list has %(size)s bytes; at most %(most)s are possible, so send it in parts")
            % {"size": size, "most": MAX_LIST_BYTES}
        )
    head = text.lstrip("\ufeff").replace("\0", "").strip()
    separator = max(",;\t", key=head.partition("\n")[0].count)
    try:
        header, *rows = list(csv.reader(io.StringIO(head, newline=""), delimiter=separator, strict=True)) or [[]]
    except csv.Error as error:
        raise CommandRejected(gettext("the list is not a CSV text: %(error)s") % {"error": error}) from None
    columns = [name.strip().lower() for name in header]
    if BOT_COLUMN not in columns:
        raise CommandRejected(
            gettext("the first line must name the columns, one of them bot (got %(line)r)")
            % {"line": separator.join(header)[:60]}
        )
    at = columns.index(BOT_COLUMN)
    bots = [row[at].strip() for row in rows if len(row) > at and row[at].strip()]
    if not 0 < len(bots) <= MAX_LINES:
        raise CommandRejected(
            gettext("a list has from 1 to %(most)s bots (got %(count)s)") % {"most": MAX_LINES, "count": len(bots)}
        )
    return bots


def preview_entry_list(
    league: League, state: LeagueState, bots: Sequence[str], actor: LeagueActor
) -> list[BulkEntryLineResult]:
    """Return the result of each line of a list of bots, without entering them.

    Raises CommandRejected if the organiser `actor` has no name or gives no reason.
    """
    attribution, versions, closed = attribution_of(actor), find_newest_active_of(bots), ""
    names = dict(league.entrants.values_list("version__bot__slug", "name"))
    lines = list[BulkEntryLineResult]()
    for line, bot in enumerate(bots, 1):
        closed = closed or find_closing_reason(league, state)
        if bot in names:
            has_entered = gettext("%(name)s has entered already") % {"name": names[bot]}
            lines.append(BulkEntryLineResult(line=line, bot=bot, entered=True, reason=has_entered))
            continue
        fact, reason = (None, closed) if closed else _enter(league, state, versions.get(bot), bot, attribution)
        lines.append(BulkEntryLineResult(line=line, bot=bot, fact=fact, reason=reason))
        if fact:
            state, names[bot] = fold_facts([fact], state), fact.name
    return lines


def _enter(
    league: League, state: LeagueState, version: BotVersion | None, bot: str, attribution: EventActorFields
) -> tuple[BotEntered | None, str]:
    """Return (event that enters the bot version in the league, ""), or (None, reason why it may not enter)."""
    if version is None:
        return None, gettext("no version of a bot %(slug)r is active") % {"slug": bot[:60]}
    try:
        return replace(make_entry(league, state, version), **attribution), ""
    except CommandRejected as error:
        return None, translate_message(error)


@transaction.atomic
def enter_list(league_id: int, bots: Sequence[str], actor: LeagueActor) -> None:
    """Enter each bot of a list in its newest active version; skip bots that may not enter.

    Raises CommandRejected if no bot of the list may enter.
    """
    league = lock_league(league_id)
    stream, state = load(league)
    lines = preview_entry_list(league, state, bots, actor)
    facts = [line.fact for line in lines if line.fact]
    if not facts:
        raise CommandRejected(gettext("none of the bots enters; the first: %(why)s") % {"why": lines[0].reason})
    append(league, stream, state, facts)
