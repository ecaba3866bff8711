"""Store which versions of a bot a fit of court ratings includes."""

from __future__ import annotations

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds a column, in which null means that the next sweep fits the ladder again."""

    # Migration 0029 was not enough for this: release 1.0.0, which still runs meanwhile, fits ladders without it.

    dependencies = [("tournaments", "0029_refit_court_ratings")]

    operations = [
        migrations.AddField(
            model_name="courtrating",
            name="fitted_versions",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.PositiveIntegerField(), null=True, size=None
            ),
        )
    ]
