"""Queries for the organisers' pages of a league."""
# They return only the data that the person may see.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from django.contrib.auth.models import User
from django.utils.translation import gettext, gettext_noop

from ftk_core.league.league_state import LeagueEntrant, LeagueState
from ftk_core.league.publication.spreadsheets import write_csv
from tournaments.leagues.entry_questions import EntryQuestion, parse_questions, read_answers
from tournaments.leagues.league_event_projection import load
from tournaments.models import League
from tournaments.organisers.drafted_round import DraftedRound, build_draft_board
from tournaments.organisers.league_access_rights import ACT, APPOINT, SEE_ANSWERS, SEE_DESK, SEE_UNRELEASED, may
from tournaments.organisers.organiser_actions import actions_by_verb
from tournaments.organisers.organiser_console import OrganiserConsole, build_console
from tournaments.organisers.organiser_permission_checks import record_refusal
from tournaments.organisers.round_overview import RoundOverview, build_round_overview

MAX_ENTRIES = 40
"""Maximum number of entries that the console lists; further entries are found by a search for their name."""
NO_ANSWERS = gettext_noop("only the organisers of %(league)s see the answers of its entrants")
NO_ROLE = gettext_noop("only those with a role in %(league)s see its console")


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueEntries:
    """Entries of a league and its drafted round (paired, but not begun), for the organisers' page."""

    names: list[str]
    """Names of all entries, ordered by entry number from 1."""
    found: list[LeagueEntrant]
    """At most `MAX_ENTRIES` entries whose names contain the text of the search."""
    draft: DraftedRound | None
    """Tables of the drafted round with their conflicts; None without a drafted round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWithQuestionnaireAnswers:
    """Entry of a bot in a league, with its author's answers to the league's questions."""

    entry: int
    name: str
    author: str
    withdrawn: bool
    answers: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionnaireAnswersByEntry:
    """Questions that a league asks at entry, and the answers for each entry."""

    questions: list[EntryQuestion]
    entries: list[EntryWithQuestionnaireAnswers]

    def to_csv(self) -> bytes:
        """Return a CSV file with one line for each entry and one column for each question."""
        return write_csv([self._make_line(row) for row in self.entries])

    def _make_line(self, row: EntryWithQuestionnaireAnswers) -> dict[str, str]:
        titles = [f"{question.number}. {question.text}" for question in self.questions]
        fixed = {"entry": f"{row.entry}", "name": row.name, "author": row.author, "withdrawn": "yes" * row.withdrawn}
        return fixed | dict(zip(titles, row.answers, strict=True))


def read_console(person: User, league: League) -> OrganiserConsole:
    """Return the roles, proposed actions and refused actions of a league.

    Raises MissingRightError if the person may not see them; the attempt is stored.
    """
    if not may(SEE_DESK, person, league):
        raise record_refusal(person, league, "see the desk", NO_ROLE)
    state = load(league)[1]
    sees_answers = may(SEE_ANSWERS, person, league)
    return build_console(
        league,
        _list_verbs(person, league, state),
        appoints=may(APPOINT, person, league),
        sees_answers=sees_answers,
        asks=sees_answers and bool(state.header.questions),
        sets_logo=may(ACT, person, league),
    )


def _list_verbs(person: User, league: League, state: LeagueState) -> list[str]:
    """Return the names of the organiser actions that are possible now and that the person may execute."""
    possible = [act for act in actions_by_verb().values() if act.group and not state.closed and act.is_possible(state)]
    rights = {right for right in {act.right for act in possible} if may(right, person, league)}
    return [act.verb for act in possible if act.right in rights]


def read_round_overview(person: User, league: League, verbs: list[str] | None = None) -> RoundOverview:
    """Return the overview of the current round, without the parts that the person may not see.

    Raises MissingRightError (the attempt is stored) unless the person is staff or has a role in the league.
    """
    # `verbs` names the actions that the person may execute; None computes them here.
    if not may(SEE_DESK, person, league):
        raise record_refusal(person, league, "see the run room", NO_ROLE)
    verbs = _list_verbs(person, league, load(league)[1]) if verbs is None else verbs
    return build_round_overview(league, verbs, within=may(SEE_UNRELEASED, person, league))


def read_entries(league: League, name: str = "") -> LeagueEntries:
    """Return a league's entries, and its paired round that has not begun, if any.

    With `name`, list only entries whose names contain this text.
    """
    state = load(league)[1]
    found = (entry for entry in state.entrants if name in entry.name)
    return LeagueEntries(
        names=[entrant.name for entrant in state.entrants],
        found=list(islice(found, MAX_ENTRIES)),
        draft=build_draft_board(state, name),
    )


def read_answer_sheet(person: User, league: League) -> QuestionnaireAnswersByEntry:
    """Return the answers of all entries to the league's questions.

    Raises MissingRightError (the attempt is stored) if the person may not see them.
    """
    if not may(SEE_ANSWERS, person, league):
        raise record_refusal(person, league, "see the answers of entrants", NO_ANSWERS)
    state = load(league)[1]
    questions, answers = parse_questions(state.header.questions), read_answers(league)
    return QuestionnaireAnswersByEntry(
        questions=questions,
        entries=[
            EntryWithQuestionnaireAnswers(
                entry=e.entry,
                name=e.name,
                author=e.author,
                withdrawn=e.withdrawn,
                answers=answers.get(e.entry) or [""] * len(questions),
            )
            for e in state.entrants
        ],
    )


def read_current_terms(league: League, verb: str) -> Mapping[str, str]:
    """Return a league's current settings by argument name, to fill in the form of the action `verb`."""
    return actions_by_verb()[verb].current(load(league)[1])


def can_see_console(person: object, slug: str) -> bool:
    """Return True if the person may see the proposed and refused actions of a league."""
    return isinstance(person, User) and may(SEE_DESK, person, find_league(slug))


def find_league(slug: str) -> League:
    """Return the league with this slug; raises League.DoesNotExist with the slug in the message."""
    league = League.objects.valid().filter(slug=slug).first()
    if league is None:
        raise League.DoesNotExist(gettext("there is no league %(slug)r") % {"slug": slug[:60]})
    return league
