"""Give models clearer names; their tables keep the names that they have."""

from __future__ import annotations

from django.db import migrations

RENAMED_MODELS = (
    ("Cursor", "EventLogReadPosition"),
    ("Endpoint", "WebhookEndpoint"),
    ("LadderLead", "LastSeenLadderLeader"),
    ("Wish", "NotificationPreference"),
    ("WithheldEvent", "UnreleasedMatchEvent"),
)


class Migration(migrations.Migration):
    """Renames models in the state only: the database does not change."""

    dependencies = [("notices", "0001_squashed_0006_ladder_leads")]

    operations = [
        operation
        for old, new in RENAMED_MODELS
        for operation in (
            migrations.AlterModelTable(name=old, table=f"notices_{old.lower()}"),
            migrations.RenameModel(old_name=old, new_name=new),
        )
    ]
