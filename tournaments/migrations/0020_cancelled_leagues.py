"""Store the reason why a league was cancelled."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the reason: no league is cancelled yet."""

    dependencies = [("tournaments", "0019_fewer_indexes")]

    operations = [
        migrations.AddField("league", "cancelled", models.TextField(blank=True, db_default="", default="")),
    ]
