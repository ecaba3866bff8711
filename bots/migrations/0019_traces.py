"""Where the traces of uploads are."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the table."""

    dependencies = [("bots", "0018_reviews_asked")]

    operations = [
        migrations.CreateModel(
            name="VersionTrace",
            fields=[
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="bots.botversion",
                    ),
                ),
                ("context", models.CharField(max_length=55)),
            ],
        ),
    ]
