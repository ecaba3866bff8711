"""Pairing certificate of a round, independent of the format that drew it."""

from __future__ import annotations

from ftk_core.league.formats.field import field_of
from ftk_core.league.pairing.weighing import weigh
from ftk_core.league.plans import Weighed
from ftk_core.league.progress import Progress, Round


def certificate(progress: Progress, drawn: Round) -> Weighed:
    """Compute the certificate of a round."""
    field = field_of(progress)
    people = {candidate.entry: candidate for candidate in field.candidates}
    tables = [[people[entry] for entry in table.seating] for table in drawn.tables]
    return weigh(field, tables, [people[one.entry] for one in drawn.rests if one.entry in people])
