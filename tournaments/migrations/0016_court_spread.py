"""Add the learnt spread of a field, and the last bout to which a version was called."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tournaments", "0015_challenges"),)
    operations = (
        migrations.AddField("courtfit", "spread", models.FloatField(null=True)),
        migrations.AddField("calledversion", "last", models.PositiveIntegerField(default=0)),
    )
