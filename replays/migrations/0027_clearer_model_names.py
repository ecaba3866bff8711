"""Give models clearer names; their tables keep the names that they have."""

from __future__ import annotations

from django.db import migrations

RENAMED_MODELS = (
    ("Attendance", "RemoteBotPresence"),
    ("Block", "ArchivedMatchLog"),
    ("Dictionary", "CompressionDictionary"),
    ("Mailbox", "SeatQuestionMailbox"),
    ("MatchTrace", "MatchTraceContext"),
    ("Page", "EventStreamPage"),
    ("Review", "MatchReview"),
    ("ReviewedSeat", "ReviewedSeatSummary"),
    ("SeatSum", "SeatResultSum"),
    ("Stream", "EventStream"),
)


class Migration(migrations.Migration):
    """Renames models in the state only: the database does not change."""

    dependencies = [("replays", "0008_squashed_0026_reviewed_seats")]

    operations = [
        operation
        for old, new in RENAMED_MODELS
        for operation in (
            migrations.AlterModelTable(name=old, table=f"replays_{old.lower()}"),
            migrations.RenameModel(old_name=old, new_name=new),
        )
    ]
