"""Where the traces of matches are."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the table."""

    dependencies = [("replays", "0021_all_seats_of_a_bot")]

    operations = [
        migrations.CreateModel(
            name="MatchTrace",
            fields=[
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="replays.match",
                    ),
                ),
                ("context", models.CharField(max_length=55)),
            ],
        ),
    ]
