"""Let the database delete the children of a deleted token; Django does so only in releases that know them."""

from __future__ import annotations

from django.db import migrations

CASCADE_SQL = """
DO $$ DECLARE one record; BEGIN
    FOR one IN SELECT conrelid::regclass AS place, conname FROM pg_constraint
        WHERE contype = 'f' AND confrelid = 'bots_token'::regclass
        AND conrelid IN ('bots_token'::regclass, 'bots_devicecode'::regclass)
    LOOP
        EXECUTE format(
            'ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %I FOREIGN KEY (parent_id)
                REFERENCES bots_token ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED',
            one.place, one.conname, one.conname);
    END LOOP;
END $$
"""


class Migration(migrations.Migration):
    """Replaces two foreign keys, with which release 1.0.0 could not revoke a token that has children."""

    dependencies = [("bots", "0025_clearer_model_names")]

    operations = [migrations.RunSQL(CASCADE_SQL, migrations.RunSQL.noop)]
