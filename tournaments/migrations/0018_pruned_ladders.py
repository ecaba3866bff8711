"""Say up to which place of a ladder's order the rows of its matches may be gone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the place: nothing is gone yet."""

    dependencies = [("tournaments", "0017_deviation_fits")]

    operations = [
        migrations.AddField("ladderfold", "pruned_before", models.BigIntegerField(db_default=0, default=0)),
    ]
