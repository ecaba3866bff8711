"""Entry conditions of leagues: the only module that decides which bots and versions may enter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.core.exceptions import ObjectDoesNotExist
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _
from msgspec.structs import replace

from bots.models import BotVersion
from bots.queries import find_newest_active
from bots.version_queries import list_own
from ftk_core.league.commands import check_doors, enter
from ftk_core.league.facts import BotEntered, LeagueOpened
from ftk_core.league.organising import Hand, attribution_of
from ftk_core.league.state import LeagueState, NotNow
from tournaments.kinds import USUAL, tell_kinds
from tournaments.league_words import tell_doors, tell_languages, tell_ratings
from tournaments.models import ALL_TIME, CourtRating, League
from tournaments.projections import load
from tournaments.rounds import can_be_paired, now

Status = BotVersion.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A person's bot with the versions that may enter."""

    bot: str
    versions: list[int]
    """Newest first; empty if none may."""
    why: str
    """Reason why none may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnEntry:
    """An entry that a person may withdraw."""

    number: int
    name: str
    newest: bool
    withdrawn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPage:
    """Content of a league's entry page for a person."""

    slug: str
    name: str
    game: str
    conditions: list[str]
    """As sentences."""
    closed: str
    """Reason why entries are closed; empty while they are open."""
    over: bool
    """True if nothing can change any more."""
    choices: list[Choice]
    own: list[OwnEntry]

    @property
    def fits(self) -> bool:
        """True if one of the bots may enter now."""
        return any(choice.versions for choice in self.choices)


def tell_conditions(head: LeagueOpened) -> list[str]:
    """Return the entry conditions as sentences."""
    who, *bots = tell_doors(head)
    told = [
        _("It is open to %(who)s.") % {"who": who},
        *(_("It is for %(which)s.") % {"which": which} for which in bots),
    ]
    if head.per_author:
        most = ngettext("An author enters %(n)s bot at most.", "An author enters %(n)s bots at most.", head.per_author)
        told.append(most % {"n": head.per_author})
    if head.per_author != 1:
        told.append(_("Bots of one author meet at a table where the pairing finds no other way."))
    if head.late > 1:
        told.append(_("Until round %(round)s has begun, bots can still enter.") % {"round": head.late})
    return told


def check_version(head: LeagueOpened, version: BotVersion) -> None:
    """Raise NotNow for a version that does not meet the conditions: state, game, language or rating."""
    if version.status != Status.ACTIVE:
        raise NotNow(
            gettext("%(version)s is %(status)s; only active versions can enter")
            % {"version": version, "status": gettext(version.get_status_display())}
        )
    if version.bot.game != head.game:
        raise NotNow(
            gettext("%(version)s plays %(game)s, the league is of %(other)s")
            % {"version": version, "game": version.bot.game, "other": head.game}
        )
    if version.bot.kind not in (head.kinds or USUAL):
        plays = gettext(version.bot.get_kind_display())
        raise NotNow(
            gettext("%(bot)s is %(plays)s; %(league)s is for %(kinds)s")
            % {"bot": version.bot.slug, "plays": plays, "league": head.name, "kinds": tell_kinds(head.kinds)}
        )
    if head.languages and version.language not in head.languages:
        raise NotNow(
            gettext("%(version)s is written in %(language)s; %(league)s is for %(languages)s")
            % {
                "version": version,
                "language": version.language,
                "league": head.name,
                "languages": tell_languages(head),
            }
        )
    if head.rated_from or head.rated_to:
        _check_rating(head, version)


def _check_rating(head: LeagueOpened, version: BotVersion) -> None:
    row = CourtRating.objects.filter(bot=version.bot_id, season=ALL_TIME).first()
    value = row.value / 100 if row else None
    fits = (
        not head.rated_from if value is None else head.rated_from <= value and value <= (head.rated_to or float("inf"))
    )
    if not fits:
        rated = gettext("has a court rating of %(value)s") % {"value": f"{value or 0:.0f}"}
        has = gettext("has no court rating yet") if value is None else rated
        raise NotNow(
            gettext("%(bot)s %(has)s; %(league)s is for %(ratings)s")
            % {"bot": version.bot.slug, "has": has, "league": head.name, "ratings": tell_ratings(head)}
        )


def entry_of(
    league: League, state: LeagueState, version: BotVersion, *, newest: bool = False, by: str = "", at: int = 0
) -> BotEntered:
    """Return the fact of an entry; raises NotNow with the first condition that is not met."""
    check_version(state.header, version)
    author = version.bot.owner.get_username()
    fact = enter(state, version.pk, version.label, author, newest=newest, by=by, at=at)
    over = league.entries_until and league.entries_until <= timezone.now()
    if over and not state.rounds and can_be_paired(league, state):
        raise NotNow(gettext("entries to %(league)s are closed; it is about to begin") % {"league": league.name})
    return fact


def entry_by_hand(league: League, bot: str, hand: Hand) -> Callable[[LeagueState], BotEntered]:
    """Return the command by which an organiser enters a bot's newest active version; raises NotNow."""
    try:
        version = find_newest_active(bot)
    except ObjectDoesNotExist as error:
        raise NotNow(str(error)) from None

    def enters(state: LeagueState) -> BotEntered:
        fact = entry_of(league, state, version)
        return replace(fact, **attribution_of(hand))

    return enters


def read_entry_page(slug: str, user_id: int) -> EntryPage:
    """Return a league's entry page for a person; raises League.DoesNotExist."""
    league = League.objects.sound().get(slug=slug)
    _, state = load(league)
    closed = _closed(state)
    bots = list_own(user_id, league.game)
    own = {version.pk for versions in bots.values() for version in versions}
    return EntryPage(
        slug=league.slug,
        name=league.name,
        game=league.game,
        conditions=tell_conditions(state.header),
        closed=closed,
        over=state.closed,
        choices=[] if closed else [_choice(league, state, bot, versions) for bot, versions in bots.items()],
        own=[
            OwnEntry(
                number=e.entry, name=e.name, newest=e.newest and e.since > len(state.rounds), withdrawn=e.withdrawn
            )
            for e in state.entrants
            if e.version in own
        ],
    )


def _closed(state: LeagueState) -> str:
    try:
        check_doors(state)
    except NotNow as error:
        return str(error)
    return ""


def _choice(league: League, state: LeagueState, bot: str, versions: list[BotVersion]) -> Choice:
    active = [version for version in versions if version.status == Status.ACTIVE]
    reasons = {version.number: _why_not(league, state, version) for version in active}
    fitting = [number for number, why in reasons.items() if not why]
    why = next(iter(reasons.values()), f"no version of {bot} is active")
    return Choice(bot=bot, versions=fitting, why="" if fitting else why)


def _why_not(league: League, state: LeagueState, version: BotVersion) -> str:
    """Return the reason why a version may not enter; empty if it may."""
    try:
        entry_of(league, state, version, at=now())
    except NotNow as error:
        return str(error)
    return ""
