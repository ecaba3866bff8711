"""Questions that a league asks at entry, and their answers."""
# Answers can be personal data: only organisers and the entrant see them, and they are not in the public event stream.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext

from ftk_core.i18n import is_printable_text
from ftk_core.league.league_state import CommandRejected
from tournaments.models import League
from tournaments.models.entry_question_answers import EntryAnswers

MAX_QUESTIONS, MAX_CHOICES = 5, 20
MAX_TEXT_CHARACTERS = 200
"""Maximum length of the text of a question, and of an answer."""
MAX_QUESTION_CHARACTERS = 1000
"""Maximum length of a question with its choices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryQuestion:
    """One question and the choices for its answer. Without choices, any text is a valid answer."""

    number: int
    text: str
    required: bool
    choices: tuple[str, ...]


def parse_questions(lines: Sequence[str]) -> list[EntryQuestion]:
    """Return the questions of a league, one for each line, such as ``Size? * | S | M``.

    The asterisk marks a required answer, the vertical bars precede choices. Raises CommandRejected for invalid lines.
    """
    if len(lines) > MAX_QUESTIONS:
        raise CommandRejected(
            gettext("A league asks at most %(most)s questions (got %(count)s).")
            % {"most": MAX_QUESTIONS, "count": len(lines)}
        )
    return [_parse_question(number, line) for number, line in enumerate(lines, 1)]


def _parse_question(number: int, line: str) -> EntryQuestion:
    text, *choices = (" ".join(part.split()) for part in line.split("|"))  # as answers are normalised
    required, text = text.endswith("*"), text.rstrip("* ")
    is_plain = is_printable_text(line) and len(line) <= MAX_QUESTION_CHARACTERS
    if not is_plain or not 0 < len(text) <= MAX_TEXT_CHARACTERS:
        raise CommandRejected(
            gettext("Question %(number)s must have 1 to %(most)s printable characters.")
            % {"number": number, "most": MAX_TEXT_CHARACTERS}
        )
    if choices and not (2 <= len(set(choices)) == len(choices) <= MAX_CHOICES and all(choices)):
        raise CommandRejected(
            gettext("Question %(number)s must have 2 to %(most)s different choices, or none.")
            % {"number": number, "most": MAX_CHOICES}
        )
    if any(len(choice) > MAX_TEXT_CHARACTERS for choice in choices):
        raise CommandRejected(
            gettext("The choices of question %(number)s must have at most %(most)s characters each.")
            % {"number": number, "most": MAX_TEXT_CHARACTERS}
        )
    return EntryQuestion(number=number, text=text, required=required, choices=tuple(choices))


def check_answers(questions: Sequence[EntryQuestion], answers: Sequence[str]) -> list[str]:
    """Return one answer for each question, empty for an optional question without an answer.

    Raises CommandRejected for an invalid, missing or surplus answer.
    """
    if len(answers) > len(questions):
        raise CommandRejected(
            gettext("This league asks %(of)s questions, not %(count)s.") % {"of": len(questions), "count": len(answers)}
        )
    checked = [" ".join(answer.split()) for answer in answers] + [""] * (len(questions) - len(answers))
    for question, answer in zip(questions, checked, strict=True):
        if (question.required and not answer) or len(answer) > MAX_TEXT_CHARACTERS or not is_printable_text(answer):
            raise CommandRejected(
                gettext("Answer the question “%(text)s” in %(least)s to %(most)s characters.")
                % {"text": question.text, "least": int(question.required), "most": MAX_TEXT_CHARACTERS}
            )
        if answer and question.choices and answer not in question.choices:
            raise CommandRejected(
                gettext("The answer to “%(text)s” must be one of %(choices)s (got %(answer)r).")
                % {"text": question.text, "choices": ", ".join(question.choices), "answer": answer[:60]}
            )
    return checked


def store_answers(league: League, entry: int, person: User, answers: Sequence[str]) -> None:
    """Store an entry's checked answers to the league's questions, unless all are empty."""
    # The answers are deleted with the person's account.
    if any(answers):
        EntryAnswers.objects.create(league=league, entry=entry, person=person, answers=list(answers))


def read_answers(league: League, user_id: int | None = None) -> Mapping[int, list[str]]:
    """Return answers to a league's questions by entry number, in the order of the questions.

    With `user_id`, only answers of this person are returned.
    """
    answers = EntryAnswers.objects.filter(league=league)
    if user_id is not None:
        answers = answers.filter(person_id=user_id)
    return dict(answers.values_list("entry", "answers"))
