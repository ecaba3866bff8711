"""Give models clearer names; their tables keep the names that they have."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    """Renames models in the state only: the database does not change."""

    dependencies = [("people", "0004_stored_language")]

    operations = [
        migrations.AlterModelTable(name="GoneName", table="people_gonename"),
        migrations.RenameModel(old_name="GoneName", new_name="ErasedAccountName"),
        migrations.RenameModel(old_name="StoredLanguage", new_name="PersonLanguage"),
    ]
