"""Leave out the indexes of a table's match and league that others serve as well."""

import django.db.models.deletion
from django.db import migrations, models

DROP = """
DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT index.indexrelid::regclass FROM pg_index AS index
        JOIN pg_attribute AS field ON field.attrelid = index.indrelid AND field.attnum = index.indkey[0]
        WHERE index.indnkeyatts = 1 AND NOT index.indisunique
        AND index.indrelid = 'tournaments_tablematch'::regclass
        AND field.attname IN ('match_id', 'league_id')
    LOOP EXECUTE 'DROP INDEX ' || name; END LOOP;
END $$
"""


class Migration(migrations.Migration):
    """Leaves them out."""

    dependencies = [("tournaments", "0018_pruned_ladders")]

    operations = [
        migrations.RunSQL(
            DROP,
            "CREATE INDEX ON tournaments_tablematch (league_id)",
            state_operations=[
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
            ],
        ),
    ]
