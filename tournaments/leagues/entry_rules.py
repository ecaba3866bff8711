"""Entry conditions of leagues. Only this module decides whether a bot version may enter a league."""
# `check_entry_period` decides whether any bot may enter.

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass

from django.core.exceptions import ObjectDoesNotExist
from django.utils.translation import gettext, gettext as _, ngettext
from msgspec.structs import replace

from bots.models import BotVersion
from bots.queries import find_newest_active
from bots.remote_bots import PERSON
from bots.versions.queries import list_own
from foundation.message_translation import translate_message
from ftk_core.league.entry_and_qualification_rules import last_late_round
from ftk_core.league.league_command_handlers import enter
from ftk_core.league.league_event_actors import LeagueActor, attribution_of
from ftk_core.league.league_facts import BotEntered, LeagueOpened
from ftk_core.league.league_state import CommandRejected, LeagueState
from tournaments.ladders.ladder_match_lookup import has_all_time_results
from tournaments.league_player_kinds import DEFAULT_KINDS, HAND_HOURS, describe_kinds
from tournaments.leagues.entry_questions import EntryQuestion, parse_questions, read_answers
from tournaments.leagues.league_event_appending import now
from tournaments.leagues.league_event_projection import load
from tournaments.leagues.league_next_step import check_entry_period
from tournaments.models import ALL_TIME, CourtRating, League
from tournaments.summaries.league_terms import describe_admission, describe_languages, describe_ratings

Status = BotVersion.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class BotEntryOption:
    """A bot that the user can choose on the entry page, with the versions that may enter."""

    bot: str
    versions: list[int]
    """Version numbers, newest first; empty if no version may enter."""
    why: str
    """Reason why no version may enter; empty if one may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentUserEntry:
    """A league entry of one of the signed-in user's bots."""

    number: int
    name: str
    newest: bool
    withdrawn: bool
    answers: list[tuple[str, str]]
    """(question of the league, answer of this entry) for each question that is answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueEntryFormContent:
    """Content of a league's entry page for one viewer."""

    slug: str
    name: str
    game: str
    conditions: list[str]
    """Entry conditions as sentences."""
    closed: str
    """Reason why no bot can enter any more; empty while entries are open."""
    over: bool
    """True if the league is closed. Then no bot can enter, and no entry can be withdrawn."""
    choices: list[BotEntryOption]
    questions: list[EntryQuestion]
    """Questions of the league, to be answered at entry."""
    own: list[CurrentUserEntry]
    """Entries of the viewer's bots."""

    @property
    def can_enter(self) -> bool:
        """True if at least one bot of the viewer may enter now."""
        return any(choice.versions for choice in self.choices)


def describe_entry_conditions(header: LeagueOpened) -> list[str]:
    """Return the entry conditions of a league as sentences."""
    authors, *bots = describe_admission(header)
    sentences = [
        _("It is open to %(who)s.") % {"who": authors},
        *(_("It is for %(which)s.") % {"which": condition} for condition in bots),
    ]
    if PERSON in header.kinds:
        sentences.append(_("A person who plays by hand has %(hours)s hours for each choice.") % {"hours": HAND_HOURS})
    if header.per_author:
        limit = ngettext(
            "An author enters %(n)s bot at most.", "An author enters %(n)s bots at most.", header.per_author
        )
        sentences.append(limit % {"n": header.per_author})
    if header.per_author != 1:
        sentences.append(_("Bots of one author meet at a table where the pairing finds no other way."))
    if (late := last_late_round(header)) > 1:
        sentences.append(_("Until round %(round)s has begun, bots can still enter.") % {"round": late})
    return sentences


def check_version(header: LeagueOpened, version: BotVersion) -> None:
    """Raise CommandRejected if a version is not active or does not meet the league's conditions.

    The conditions concern the game, kind, programming language and rating of the bot.
    """
    if version.status != Status.ACTIVE:
        raise CommandRejected(
            gettext("%(version)s is %(status)s; only active versions can enter")
            % {"version": version, "status": gettext(version.get_status_display())}
        )
    if version.bot.game != header.game:
        raise CommandRejected(
            gettext("%(version)s plays %(game)s, the league is of %(other)s")
            % {"version": version, "game": version.bot.game, "other": header.game}
        )
    if version.bot.kind not in (header.kinds or DEFAULT_KINDS):
        plays = gettext(version.bot.get_kind_display())
        raise CommandRejected(
            gettext("%(bot)s is %(plays)s; %(league)s is for %(kinds)s")
            % {"bot": version.bot.slug, "plays": plays, "league": header.name, "kinds": describe_kinds(header.kinds)}
        )
    if header.languages and version.language not in header.languages:
        raise CommandRejected(
            gettext("%(version)s is written in %(language)s; %(league)s is for %(languages)s")
            % {
                "version": version,
                "language": version.language,
                "league": header.name,
                "languages": describe_languages(header),
            }
        )
    if header.rated_from or header.rated_to:
        _check_rating(header, version)


def _check_rating(header: LeagueOpened, version: BotVersion) -> None:
    court_rating = CourtRating.objects.filter(bot=version.bot_id, season=ALL_TIME).first()
    rated_number = court_rating.version if court_rating else version.number
    rated_version = BotVersion.objects.filter(bot=version.bot_id, number=rated_number, status=Status.ACTIVE)
    # A new version without results is taken for as strong as the one before, and any version if the rated one rests.
    is_unrated = version.number < rated_number or (version.number > rated_number and has_all_time_results(version.pk))
    if is_unrated and rated_version.exists():
        raise CommandRejected(
            gettext("the court rating of %(bot)s is that of version %(number)s; enter this version")
            % {"bot": version.bot.slug, "number": rated_number}
        )
    value = court_rating.value / 100 if court_rating else None
    fits = not header.rated_from if value is None else header.rated_from <= value <= (header.rated_to or math.inf)
    if not fits:
        rated = gettext("has a court rating of %(value)s") % {"value": f"{value or 0:.0f}"}
        rating_text = gettext("has no court rating yet") if value is None else rated
        raise CommandRejected(
            gettext("%(bot)s %(has)s; %(league)s is for %(ratings)s")
            % {"bot": version.bot.slug, "has": rating_text, "league": header.name, "ratings": describe_ratings(header)}
        )


def make_entry(
    league: League, state: LeagueState, version: BotVersion, *, newest: bool = False, by: str = "", at: int = 0
) -> BotEntered:
    """Return the event that enters a bot version. Raises CommandRejected for an unmet condition."""
    check_version(state.header, version)
    fact = enter(state, version.pk, version.label, version.bot.owner.get_username(), newest=newest, by=by, at=at)
    check_entry_period(league, state)
    return fact


def make_entry_command(league: League, bot: str, actor: LeagueActor) -> Callable[[LeagueState], BotEntered]:
    """Return a function that makes, from the league's state, the event by which an organiser enters a bot.

    Raises CommandRejected if the bot has no active version. The function raises it for an unmet entry condition.
    """
    try:
        version = find_newest_active(bot)
    except ObjectDoesNotExist as error:
        raise CommandRejected(str(error)) from None

    def command(state: LeagueState) -> BotEntered:
        return replace(make_entry(league, state, version), **attribution_of(actor))

    return command


def read_entry_page(slug: str, user_id: int) -> LeagueEntryFormContent:
    """Return the content of a league's entry page for a user; raises League.DoesNotExist."""
    league = League.objects.valid().get(slug=slug)
    _, state = load(league)
    closed = find_closing_reason(league, state)
    bots = list_own(user_id, league.game)
    own = {version.pk for versions in bots.values() for version in versions}
    return LeagueEntryFormContent(
        slug=league.slug,
        name=league.name,
        game=league.game,
        conditions=describe_entry_conditions(state.header),
        closed=closed,
        over=state.closed,
        choices=[] if closed else [_make_choice(league, state, bot, versions) for bot, versions in bots.items()],
        questions=parse_questions(state.header.questions),
        own=_list_own_entries(league, state, own, user_id),
    )


def _list_own_entries(
    league: League, state: LeagueState, versions: Collection[int], user_id: int
) -> list[CurrentUserEntry]:
    """Return the league's entries of these bot versions, with the user's answers to the league's questions."""
    texts = [question.text for question in parse_questions(state.header.questions)]
    answers = read_answers(league, user_id) if texts else {}
    return [
        CurrentUserEntry(
            number=e.entry,
            name=e.name,
            newest=e.newest and e.since > len(state.rounds),
            withdrawn=e.withdrawn,
            answers=[(text, answer) for text, answer in zip(texts, answers.get(e.entry, ()), strict=False) if answer],
        )
        for e in state.entrants
        if e.version in versions
    ]


def find_closing_reason(league: League, state: LeagueState) -> str:
    """Return the reason why no bot can enter the league; empty while entries are open."""
    try:
        check_entry_period(league, state)
    except CommandRejected as error:
        return translate_message(error)
    return ""


def _make_choice(league: League, state: LeagueState, bot: str, versions: list[BotVersion]) -> BotEntryOption:
    active = [version for version in versions if version.status == Status.ACTIVE]
    reasons = {version.number: _find_refusal(league, state, version) for version in active}
    fitting = [number for number, reason in reasons.items() if not reason]
    reason = next(iter(reasons.values()), gettext("no version of %(slug)s is active") % {"slug": bot})
    return BotEntryOption(bot=bot, versions=fitting, why="" if fitting else reason)


def _find_refusal(league: League, state: LeagueState, version: BotVersion) -> str:
    """Return the reason why a version may not enter a league; an empty string if it may."""
    try:
        make_entry(league, state, version, at=now())
    except CommandRejected as error:
        return translate_message(error)
    return ""
