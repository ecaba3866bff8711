"""Give models clearer names; their tables keep the names that they have."""

from __future__ import annotations

from django.db import migrations

RENAMED_MODELS = (
    ("CalledVersion", "ContinuousLadderBotVersion"),
    ("CourtFit", "CourtRatingFit"),
    ("DeviationFit", "DeviationRatingFit"),
    ("LadderFold", "LadderProjection"),
    ("MeetingSum", "HeadToHeadTotal"),
    ("RatedSeat", "RatedMatchSeat"),
    ("TableMatch", "LeagueMatch"),
)


class Migration(migrations.Migration):
    """Renames models in the state only: the database does not change."""

    dependencies = [("tournaments", "0007_squashed_0027_comments")]

    operations = [
        operation
        for old, new in RENAMED_MODELS
        for operation in (
            migrations.AlterModelTable(name=old, table=f"tournaments_{old.lower()}"),
            migrations.RenameModel(old_name=old, new_name=new),
        )
    ]
