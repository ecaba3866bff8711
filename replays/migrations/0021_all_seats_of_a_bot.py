"""An index that has all of a bot's matches in the order of their ends, also those that have none yet."""

import datetime

from django.db import migrations, models
from django.db.models.functions import Coalesce

UNENDED = models.Value(datetime.datetime(9999, 12, 31, tzinfo=datetime.UTC))


class Migration(migrations.Migration):
    """Adds it."""

    dependencies = [("replays", "0020_seats_of_bots")]

    operations = [
        migrations.AddIndex(
            "matchseat",
            models.Index(
                "bot",
                Coalesce("closed_at", UNENDED, output_field=models.DateTimeField()).desc(),
                models.F("match").desc(),
                name="all_seats_of_a_bot",
            ),
        ),
    ]
