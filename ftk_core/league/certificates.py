"""What the tables of a round weigh, whoever drew them."""

from __future__ import annotations

from ftk_core.league.formats.field import field_of
from ftk_core.league.pairing.weighing import weigh
from ftk_core.league.plans import Weighed
from ftk_core.league.progress import Progress, Round


def certificate(progress: Progress, drawn: Round) -> Weighed:
    """Return what the tables of a round weigh, whoever drew them."""
    field = field_of(progress)
    people = {candidate.entry: candidate for candidate in field.candidates}
    tables = [[people[entry] for entry in table.seating] for table in drawn.tables]
    return weigh(field, tables, [people[one.entry] for one in drawn.rests if one.entry in people])
