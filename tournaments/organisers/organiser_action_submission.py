"""Organisers' actions on a league: execution, proposal or refusal, depending on the person's rights."""
# An organiser with a bot in the league can only propose actions. A second organiser then approves or declines them: see
# `action_proposal_decisions`.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from bots.access.teams import is_author
from bots.versions.queries import NOT_AN_AUTHOR_MESSAGE, NotAnAuthorError, find_own
from ftk_core.i18n import is_printable_text
from ftk_core.league.league_event_actors import LeagueActor, attribution_of
from ftk_core.league.league_facts import BotEntered
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.organiser_command_handlers import withdraw_from_league
from people.staff_audit_trail import ActingStaffMember, record_staff_act
from tournaments.leagues import services
from tournaments.leagues.bulk_league_entry import BulkEntryLineResult
from tournaments.leagues.entry_questions import check_answers, parse_questions, store_answers
from tournaments.leagues.league_event_appending import act, lock_league, now
from tournaments.leagues.league_event_projection import load
from tournaments.models import Entrant, League
from tournaments.models.organiser_roles import LeagueRole, Proposal
from tournaments.organisers.league_access_rights import SEE_UNRELEASED, has_own_bot, may
from tournaments.organisers.organiser_action_definition import OrganiserActionRequest
from tournaments.organisers.organiser_action_preview import (
    OrganiserActionPreview,
    OutdatedActionPreviewError,
    execute,
    preview,
)
from tournaments.organisers.organiser_actions import actions_by_verb
from tournaments.organisers.organiser_console import format_act
from tournaments.organisers.organiser_page_queries import find_league
from tournaments.organisers.organiser_permission_checks import MissingRightError, check_right, record_refusal

MAX_ENTRY_NUMBER = 2**31 - 1
"""Largest integer that PostgreSQL stores in the column of entry numbers."""
MAX_REASON_CHARACTERS = 200
PREVIEW_REASON = "a preview"
"""Reason in acts that are executed for a preview only. It is never stored."""
BY_ITS_AUTHOR = "its author withdrew it"
"""Reason in the league's stream if an author withdraws an entry without giving a reason."""


def enter_own(
    person: User, slug: str, bot: str, number: int | None = None, *, newest: bool = False, answers: Sequence[str] = ()
) -> BotEntered:
    """Enter a person's own bot in a league, by default in its newest active version.

    Raises League.DoesNotExist, BotVersion.DoesNotExist, MissingRightError for another author's bot, or CommandRejected
    for an unmet entry condition or an invalid answer.
    """
    # With `newest`, the entry switches to newer versions until its first match is paired.
    league = find_league(slug)
    try:
        version = find_own(person.pk, bot, number)
    except NotAnAuthorError:
        raise record_refusal(person, league, f"enter bot={bot}", NOT_AN_AUTHOR_MESSAGE, slug=bot[:60]) from None
    answers = check_answers(parse_questions(load(league)[1].header.questions), answers)
    with transaction.atomic():
        lock_league(league.pk)
        _check_saw_no_hidden_replays(person, league)
        fact = services.enter_bot(league.pk, version, person.get_username(), newest=newest)
        store_answers(league, fact.entry, person, answers)
    return fact


def _check_saw_no_hidden_replays(person: User, league: League) -> None:
    """Raise CommandRejected if the person may watch matches of the league that other authors cannot watch yet."""
    hidden = league.tables.filter(match__released=False, match__opened_at__isnull=False)
    if may(SEE_UNRELEASED, person, league) and hidden.exists():
        raise CommandRejected(
            gettext(
                "as a judge or a member of the staff you can watch matches of %(league)s that are not released yet;"
                " enter its next league"
            )
            % {"league": league.name}
        )


def withdraw_entry(
    person: User, slug: str, entry: int, why: str = "", *, organises: bool = True
) -> tuple[str, Proposal | None]:
    """Withdraw an entry, or propose this to a second organiser; return the entry's name and the proposal, if any.

    `organises` is False if the person may not act as an organiser, because the token that they use lacks the scope.
    Raises League.DoesNotExist, Entrant.DoesNotExist, MissingRightError if the person may neither withdraw the entry nor
    propose it, or CommandRejected if the withdrawal is impossible.
    """
    # Authors may always withdraw their bots. An organiser with a bot in the league can only propose other withdrawals.
    league = find_league(slug)
    row = league.entrants.select_related("version__bot").filter(number=min(entry, MAX_ENTRY_NUMBER)).first()
    if row is None:
        raise Entrant.DoesNotExist(
            gettext("%(league)s has no entry %(entry)s") % {"league": league.name, "entry": entry}
        )
    if not is_author(person.pk, row.version.bot.slug):
        if not organises:
            raise MissingRightError(gettext("withdrawing another author's bot needs a token with the scope organise"))
        return row.name, propose_or_act(person, league, "withdraw", {"entry": entry}, why)
    _check_reason(why)
    with transaction.atomic():
        lock_league(league.pk)  # so that times are in order
        actor = LeagueActor(by=person.get_username(), at=now(), why=why or BY_ITS_AUTHOR)
        act(league.pk, withdraw_from_league, entry, actor)
    return row.name, None


def propose_or_act(
    person: User, league: League, verb: str, told: dict[str, Any], why: str = "", digest: str | None = None
) -> Proposal | None:
    """Execute an action, or only propose it if the person has a bot in the league.

    Return the proposal, or None after the execution. `digest` is the hash of the effects in a preview, or None without
    a preview. Raises CommandRejected if the action is impossible or its reason invalid, OutdatedActionPreviewError if
    the effects have changed since the preview, or MissingRightError if the person has no right to the action (the
    attempt is stored).
    """
    check_right(person, league, verb, told)
    _check_reason(why)
    with transaction.atomic():
        lock_league(league.pk)  # so that nobody can enter a bot between the check and the act, and times are in order
        actor = LeagueActor(by=person.get_username(), at=now(), why=why)
        call = OrganiserActionRequest(league=league, arguments=told, actor=actor)
        if has_own_bot(person, league):
            return _propose(person, verb, call, digest)
        execute(actions_by_verb()[verb], call, digest)  # each action is defined in a module of `organiser_actions`
        note_staff_act(person, league, verb, told, why)
        return None


def _propose(person: User, verb: str, call: OrganiserActionRequest, digest: str | None) -> Proposal:
    effects = preview(call.league, verb, call.arguments, call.actor)
    if digest not in (None, effects.digest):
        raise OutdatedActionPreviewError(effects)
    if effects.lines and not any(line.fact for line in effects.lines):
        actions_by_verb()[verb].perform(call)  # it raises the reason of the first line
    if actions_by_verb()[verb].needs_reason:
        attribution_of(call.actor)
    return Proposal.objects.create(league=call.league, by=person, verb=verb, told=call.arguments, why=call.actor.why)


def act_on_lines(
    person: User, league: League, verb: str, told: dict[str, Any], why: str
) -> tuple[Proposal | None, list[BulkEntryLineResult]]:
    """Execute or propose an action. If its argument is a list, such as bots to enter, return the result of each line.

    Return the proposal, if any, and these results; they are empty for an action without a list.
    Raises the errors of `propose_or_act`. Call this in a transaction.
    """
    # Check the person's right before the transaction: a rollback would delete the stored refusal.
    lock_league(league.pk)  # so that the act has the returned effects
    actor = LeagueActor(by=person.get_username(), at=now(), why=why)
    call = OrganiserActionRequest(league=league, arguments=told, actor=actor)
    lines = actions_by_verb()[verb].preview_lines(load(league)[1], call)
    return propose_or_act(person, league, verb, told, why), lines


def preview_act(person: User, league: League, verb: str, told: dict[str, Any]) -> OrganiserActionPreview:
    """Return the effects of an action without executing it.

    Raises MissingRightError (the attempt is stored), or CommandRejected for an impossible action.
    """
    check_right(person, league, verb, told)
    with transaction.atomic():
        lock_league(league.pk)
        return preview(league, verb, told, LeagueActor(by=person.get_username(), at=now(), why=PREVIEW_REASON))


def refuse(person: User, league: League, verb: str) -> NoReturn:
    """Raise the error for an action that cannot be executed.

    If the person has no right to the action, store the attempt and raise MissingRightError. Otherwise raise
    CommandRejected, because the league's present state does not allow the action.
    """
    check_right(person, league, verb[:20], {})
    raise CommandRejected(gettext("%(verb)r is not possible in the present state of the league") % {"verb": verb[:20]})


def _check_reason(why: str) -> None:
    """Raise CommandRejected if a reason is too long, or has characters that are not printable."""
    if len(why) > MAX_REASON_CHARACTERS:
        raise CommandRejected(
            gettext("a reason has at most %(most)s characters, not %(count)s")
            % {"most": MAX_REASON_CHARACTERS, "count": len(why)}
        )
    if not is_printable_text(why):
        raise CommandRejected(gettext("a reason is one line of printable characters"))


def note_staff_act(person: User, league: League, verb: str, told: dict[str, Any], why: str) -> None:
    """Log an action as an action of staff, if the person has no role in the league."""
    if person.is_staff and not LeagueRole.objects.filter(league=league, person=person).exists():
        record_staff_act(
            ActingStaffMember(by=person, name=person.get_username(), why=why),
            verb,
            f"league {league.slug}: {format_act(verb, told)}",
            User.objects.filter(username=told.get("person") or told.get("author")).first(),
        )
