"""How much versions differ, as a court fit has learnt it."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tournaments", "0011_luck_shares"),)
    operations = (migrations.AddField("courtfit", "width", models.FloatField(null=True)),)
