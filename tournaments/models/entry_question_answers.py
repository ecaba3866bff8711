"""Model of the answers to a league's questions, imported by `tournaments.apps`. No event stream contains them."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class EntryAnswers(models.Model):
    """Answers of a person to the questions that a league asks at entry."""

    # They are deleted with the person's account.

    league = models.ForeignKey("tournaments.League", on_delete=models.CASCADE, related_name="answers")
    entry = models.PositiveIntegerField()
    """Number of the entry. It is no foreign key, because a rebuild deletes and recreates the rows of entries."""
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="entry_answers")
    answers = models.JSONField()
    """Texts in the order of the league's questions; an empty text for a question without an answer."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("league", "entry"), name="one_row_of_answers_per_entry"),)

    def __str__(self) -> str:
        return f"{self.league}, entry {self.entry}"
