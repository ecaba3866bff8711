from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0003_squashed_preferred_language")]

    # the table and its column keep their names: the database does not change
    operations = [
        migrations.AlterModelTable(name="KeptTongue", table="people_kepttongue"),
        migrations.RenameModel(old_name="KeptTongue", new_name="StoredLanguage"),
        migrations.AlterField(
            model_name="StoredLanguage", name="tongue", field=models.CharField(max_length=10, db_column="tongue")
        ),
        migrations.RenameField(model_name="StoredLanguage", old_name="tongue", new_name="language"),
        migrations.AlterField(
            model_name="StoredLanguage",
            name="person",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                primary_key=True,
                related_name="stored_language",
                serialize=False,
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
