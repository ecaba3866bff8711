"""How far the strengths of a field spread, as a court fit has learnt it."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tournaments", "0015_challenges"),)
    operations = (migrations.AddField("courtfit", "spread", models.FloatField(null=True)),)
