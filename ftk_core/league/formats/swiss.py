"""Swiss format for tables of any size: bots with equal points meet opponents they have not met."""

from __future__ import annotations

from ftk_core.league.formats import LeagueFormat
from ftk_core.league.formats.pairing_input_from_stage import pairing_input_of
from ftk_core.league.formats.round_tables_and_byes import make_rests, number_tables
from ftk_core.league.pairing.pairing_input_and_output import ImpossiblePairingError
from ftk_core.league.stage_progress import (
    CannotPairDecision,
    NextRoundDecision,
    NextStep,
    StageFinishedDecision,
    StageProgress,
)


def next_round(progress: StageProgress) -> NextStep:
    """Return a newly paired round, or the end of the stage after the announced number of rounds."""
    if len(progress.drawn) >= progress.rounds:
        return StageFinishedDecision()
    # Imported here, because folding and verifying must work without numpy:
    from ftk_core.league.pairing.round_pairing import draw_round

    try:
        paired = draw_round(pairing_input_of(progress), progress.chance.at("pairing", progress.number))
    except ImpossiblePairingError as error:
        return CannotPairDecision(error.args[0])
    return NextRoundDecision(
        tables=number_tables(paired.tables), rests=make_rests(progress, paired.rests), weighed=paired.weighed
    )


FORMAT = LeagueFormat(next_round=next_round, counted=True, takes_late=True)
