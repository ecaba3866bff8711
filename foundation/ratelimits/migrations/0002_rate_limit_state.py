"""Give the model a clearer name; its table keeps the name that it has."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    """Renames the model in the state only: the database does not change."""

    dependencies = [("ratelimits", "0001_initial")]

    operations = [migrations.RenameModel(old_name="Allowance", new_name="RateLimitState")]
