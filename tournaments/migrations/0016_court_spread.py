"""How far the strengths of a field spread, as a court fit has learnt it; which bout a version was called to last."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tournaments", "0015_challenges"),)
    operations = (
        migrations.AddField("courtfit", "spread", models.FloatField(null=True)),
        migrations.AddField("calledversion", "last", models.PositiveIntegerField(default=0)),
    )
