"""Entry point of people's acts on a league: an act is executed, proposed to a second organiser, or refused."""

from __future__ import annotations

from typing import Any, NoReturn

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop, override

from bots.teams import is_author
from bots.version_queries import NOT_YOURS, NotAnAuthor, find_own
from ftk_core.league.facts import BotEntered
from ftk_core.league.organising import Hand, attribution_of, withdraw
from ftk_core.league.state import NotNow
from people.acts_of_staff import Staff, note
from tournaments import services
from tournaments.desk_rows import Desk, lay_out, tell_act
from tournaments.models import Entrant, League
from tournaments.projections import load
from tournaments.rights import ACT, APPOINT, REJUDGE, SEE_DESK, SEE_UNRELEASED, has_own_bot, may
from tournaments.roles import LeagueRole, Proposal, Refusal
from tournaments.rounds import locked, now
from tournaments.run_room import RunRoom, look_in
from tournaments.verbs import COMPOUND, DEEDS, decide, list_fitting, perform

LARGEST = 2**31 - 1
"""Largest integer of the database column."""
APPOINTING = "appoint", "dismiss"
OTHER_RIGHTS = {"overrule": REJUDGE, "void": REJUDGE, "again": REJUDGE, **dict.fromkeys(APPOINTING, APPOINT)}
"""Rights by verb; all other verbs require the right of organisers."""
LONGEST_REASON = 200
REFUSALS_EACH = 100
"""Number of refusals kept of each person and league, the newest."""
SAME = gettext_noop("somebody else than who proposes it must approve")
BIASED = gettext_noop("a bot of whoever approves is in the league, too")
NO_ROLE = gettext_noop("only those with a role in %(league)s see its desk")
NO_RIGHT = gettext_noop("only organisers of %(league)s do that")


BY_ITS_AUTHOR = "its author withdrew it"
"""Default reason in the stream."""


class Refused(Exception):
    """Raised for an act without the right to it; the message gives the reason."""


def enter_own(person: User, slug: str, bot: str, number: int | None = None, *, newest: bool = False) -> BotEntered:
    """Enter a person's bot in a league, by version, or by the newest active one (until it is paired, if `newest`).

    Raises League.DoesNotExist, BotVersion.DoesNotExist, Refused (recorded) for a bot of others, or NotNow with the
    condition that is not met.
    """
    league = find_league(slug)
    try:
        version = find_own(person.pk, bot, number)
    except NotAnAuthor:
        raise _refused(person, league, f"enter bot={bot}", NOT_YOURS, slug=bot[:60]) from None
    return services.enter_bot(league.pk, version, person.get_username(), newest=newest)


def withdraw_entry(person: User, slug: str, entry: int, why: str = "") -> tuple[str, Proposal | None]:
    """Withdraw an entry at any time: its authors directly, others as organisers.

    Returns the entry's name, and the proposal, if one was made. Raises Entrant.DoesNotExist, Refused or NotNow.
    """
    league = find_league(slug)
    row = league.entrants.select_related("version__bot").filter(number=min(entry, LARGEST)).first()
    if row is None:
        raise Entrant.DoesNotExist(
            gettext("%(league)s has no entry %(entry)s") % {"league": league.name, "entry": entry}
        )
    if not is_author(person.pk, row.version.bot.slug):
        return row.name, propose_or_act(person, league, "withdraw", {"entry": entry}, why)
    hand = Hand(by=person.get_username(), at=now(), why=why or BY_ITS_AUTHOR)
    services.act(league.pk, lambda state: withdraw(state, entry, hand))
    return row.name, None


def propose_or_act(person: User, league: League, verb: str, told: dict[str, Any], why: str = "") -> Proposal | None:
    """Execute an act, or return a proposal of it if the person's own bot is in the league.

    Raises Refused, which is recorded, or NotNow if it is impossible in the current state.
    """
    _check_right(person, league, verb, told)
    if len(why) > LONGEST_REASON:
        raise NotNow(
            gettext("a reason has at most %(most)s characters, not %(count)s")
            % {"most": LONGEST_REASON, "count": len(why)}
        )
    with transaction.atomic():
        locked(league.pk)  # nobody can enter a bot between the check and the act
        hand = Hand(by=person.get_username(), at=now(), why=why)
        if not has_own_bot(person, league):
            _do(league, verb, told, hand)
            _note_staff(person, league, verb, told, why)
            return None
        if verb in DEEDS:
            decide(league, verb, told, hand)(load(league)[1])
        elif verb in COMPOUND:
            attribution_of(hand)
        return Proposal.objects.create(league=league, by=person, verb=verb, told=told, why=why)


def approve(person: User, league: League, number: object) -> None:
    """Execute a proposal; raises Proposal.DoesNotExist, Refused (recorded), or NotNow, which keeps the proposal.

    The second organiser must be another person with the same right and without a bot in the league.
    """
    row = _proposal(league, number)
    _check_right(person, row.league, row.verb, row.told)
    if person == row.by:
        raise _refused(person, row.league, f"approve {row.verb}", SAME)
    with transaction.atomic():
        locked(row.league_id)
        biased = has_own_bot(person, row.league)
        if not biased:
            _settle(row, person, Proposal.Status.APPROVED)
            hand = Hand(by=row.by.get_username(), at=now(), why=row.why, approved=person.get_username())
            _do(row.league, row.verb, row.told, hand)
            _note_staff(person, row.league, f"approve {row.verb}", row.told, row.why)
    if biased:
        raise _refused(person, row.league, f"approve {row.verb}", BIASED)


def decline(person: User, league: League, number: object) -> None:
    """Decline a proposal; its proposer may do so too. Raises as `approve`."""
    row = _proposal(league, number)
    _check_right(person, row.league, row.verb, row.told)
    with transaction.atomic():
        _settle(row, person, Proposal.Status.DECLINED)


def refuse(person: User, league: League, verb: str) -> NoReturn:
    """Raise the reason why an act is not offered: Refused (recorded) without the right, else NotNow."""
    _check_right(person, league, verb[:20], {})
    raise NotNow(gettext("%(verb)r cannot be done as things are") % {"verb": verb[:20]})


def read_desk(person: User, league: League) -> Desk:
    """Return roles, proposals and refusals; raises Refused, which is recorded."""
    if not may(SEE_DESK, person, league):
        raise _refused(person, league, "see the desk", NO_ROLE)
    fitting = list_fitting(load(league)[1])
    rights = {right for right in (ACT, REJUDGE) if may(right, person, league)}
    verbs = [verb for verb in fitting if OTHER_RIGHTS.get(verb, ACT) in rights]
    return lay_out(league, verbs, appoints=may(APPOINT, person, league))


def read_room(person: User, league: League) -> RunRoom:
    """Return the state of the current round, as far as the person may see it; raises Refused."""
    if not may(SEE_DESK, person, league):
        raise _refused(person, league, "see the run room", NO_ROLE)
    return look_in(league, within=may(SEE_UNRELEASED, person, league))


def list_names(league: League) -> list[str]:
    """Return the names of a league's entries, in the order of their numbers, which count from 1."""
    return [entrant.name for entrant in load(league)[1].entrants]


def shows_desk(person: object, slug: str) -> bool:
    """Return True if a person or visitor may see a league's desk."""
    return isinstance(person, User) and may(SEE_DESK, person, find_league(slug))


def find_league(slug: str) -> League:
    """Return a league; raises League.DoesNotExist with its name."""
    league = League.objects.sound().filter(slug=slug).first()
    if league is None:
        raise League.DoesNotExist(gettext("there is no league %(slug)r") % {"slug": slug[:60]})
    return league


def _proposal(league: League, number: object) -> Proposal:
    text = str(number)
    known = text.isascii() and text.isdecimal() and len(text) < 10
    row = Proposal.objects.select_related("league", "by").filter(league=league, pk=int(text) if known else 0).first()
    if row is None:
        raise Proposal.DoesNotExist(
            gettext("nothing of the number %(text)r was proposed for %(league)s")
            % {"text": text[:20], "league": league.name}
        )
    return row


def _settle(row: Proposal, person: User, status: str) -> None:
    waiting = Proposal.objects.filter(pk=row.pk, status=Proposal.Status.WAITING)
    if not waiting.update(status=status, decided_by=person, decided_at=timezone.now()):
        raise NotNow(gettext("somebody has decided on it already"))


def _do(league: League, verb: str, told: dict[str, Any], hand: Hand) -> None:
    if verb not in APPOINTING:
        perform(league, verb, told, hand)
        return
    person = User.objects.filter(username=told["person"], is_active=True).first()
    if person is None:
        raise NotNow(gettext("nobody is called %(person)r") % {"person": told["person"][:60]})
    roles = LeagueRole.objects.filter(league=league, person=person)
    if roles.filter(role=LeagueRole.Role.ORGANISER).exists():
        raise NotNow(
            gettext("%(person)s is the organiser of %(league)s, and stays that")
            % {"person": person.get_username(), "league": league.name}
        )
    if verb == "appoint":
        LeagueRole.objects.update_or_create(league=league, person=person, defaults={"role": told["role"]})
    elif not roles.delete()[0]:
        raise NotNow(
            gettext("%(person)s has no role in %(league)s") % {"person": person.get_username(), "league": league.name}
        )


def _check_right(person: User, league: League, verb: str, told: dict[str, Any]) -> None:
    if not may(OTHER_RIGHTS.get(verb, ACT), person, league):
        raise _refused(person, league, tell_act(verb, told), NO_RIGHT)


def _note_staff(person: User, league: League, verb: str, told: dict[str, Any], why: str) -> None:
    """Record an act of staff without a role in the league."""
    if person.is_staff and not LeagueRole.objects.filter(league=league, person=person).exists():
        note(
            Staff(by=person, name=person.get_username(), why=why), verb, f"league {league.slug}: {tell_act(verb, told)}"
        )


def _refused(person: User, league: League, what: str, pattern: str, **words: str) -> Refused:
    """Return the refusal in the person's language; it is recorded in English for other readers."""
    words |= {"league": league.name}
    with override("en"):
        why = gettext(pattern) % words
    Refusal.objects.create(league=league, person=person, what=what[:200], why=why[:200])
    kept = Refusal.objects.filter(league=league, person=person)
    kept.exclude(pk__in=kept.order_by("-pk").values("pk")[:REFUSALS_EACH]).delete()
    return Refused(gettext(pattern) % words)
