"""Leave out the indexes of a table's match and league that others serve as well."""

import django.db.models.deletion
from django.db import migrations, models

PATTERNS = """
DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT indexname FROM pg_indexes
        WHERE tablename = 'tournaments_tablematch' AND indexname LIKE '%\\_like' AND schemaname = 'public'
    LOOP EXECUTE format('DROP INDEX %I', name); END LOOP;
END $$
"""


class Migration(migrations.Migration):
    """Leaves them out."""

    dependencies = [("tournaments", "0018_past_of_ladders")]

    operations = [
        migrations.AlterField(
            "tablematch",
            "league",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="tables",
                to="tournaments.league",
            ),
        ),
        migrations.RunSQL(PATTERNS, migrations.RunSQL.noop),
    ]
