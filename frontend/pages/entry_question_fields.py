"""Form fields for the questions that a league asks about each bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from foundation.message_translation import with_full_stop
from ftk_core.league.league_state import CommandRejected
from tournaments.leagues.entry_questions import MAX_TEXT_CHARACTERS, EntryQuestion, parse_questions

PREFIX = "answer-"


class EntryQuestionsField(forms.CharField):
    """Form field for a list of questions, one on each line."""

    def clean(self, value: Any) -> tuple[str, ...]:
        """Return the questions without blank lines. Raises ValidationError if one is invalid."""
        lines = tuple(line.strip() for line in super().clean(value).splitlines() if line.strip())
        try:
            parse_questions(lines)
        except CommandRejected as error:
            raise forms.ValidationError(with_full_stop(error)) from error
        return lines


def make_answer_fields(questions: Sequence[EntryQuestion]) -> dict[str, forms.Field]:
    """Return a dict with one form field for the answer to each question: field name -> field."""
    return {f"{PREFIX}{question.number}": _make_answer_field(question) for question in questions}


def _make_answer_field(question: EntryQuestion) -> forms.Field:
    if not question.choices:
        return forms.CharField(required=question.required, max_length=MAX_TEXT_CHARACTERS, label=question.text)
    blank = [("", _("Choose an answer") if question.required else _("no answer"))]
    choices = [*blank, *((choice, choice) for choice in question.choices)]
    return forms.ChoiceField(required=question.required, choices=choices, label=question.text)
