"""Pairing quality of a round, computed again after an organiser has changed its draft."""

from __future__ import annotations

from ftk_core.league.event_fields import PairingQualityCertificate
from ftk_core.league.formats.pairing_input_from_stage import pairing_input_of
from ftk_core.league.pairing.pairing_quality_certificate_computation import compute_round_certificate
from ftk_core.league.stage_progress import NextRoundDecision, StageProgress


def compute_certificate(progress: StageProgress, drawn: NextRoundDecision) -> PairingQualityCertificate:
    """Compute the counts that show the quality of the next round's pairing."""
    problem = pairing_input_of(progress)
    people = {candidate.entry: candidate for candidate in problem.candidates}
    tables = [[people[entry] for entry in table.seating] for table in drawn.tables]
    return compute_round_certificate(problem, tables, [people[one.entry] for one in drawn.rests if one.entry in people])
