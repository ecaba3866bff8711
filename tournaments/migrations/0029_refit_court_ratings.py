"""Fit all court ratings again, because a bot has that of its newest active version now."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    """Forgets up to where each ladder was fitted; the next sweep fits it."""

    dependencies = [("tournaments", "0028_clearer_model_names")]

    operations = [migrations.RunSQL("UPDATE tournaments_courtfit SET head = ''", migrations.RunSQL.noop)]
