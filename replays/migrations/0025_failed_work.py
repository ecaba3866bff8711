"""Which background work failed, and when it is tried again."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the table."""

    dependencies = [("replays", "0024_streams_of_the_archive")]

    operations = [
        migrations.CreateModel(
            name="FailedWork",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=20)),
                ("subject", models.CharField(max_length=200)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("rests_until", models.DateTimeField(null=True)),
                ("left_at", models.DateTimeField(db_index=True, null=True)),
                ("reason", models.TextField(blank=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("kind", "subject"), name="failed_work_once")],
                "verbose_name_plural": "failed work",
            },
        ),
    ]
