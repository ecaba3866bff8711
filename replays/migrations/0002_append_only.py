"""Pages can be added and read, and nothing else: the database itself refuses the rest, also to us."""

from __future__ import annotations

from django.db import migrations

FORBID = """
CREATE FUNCTION replays_page_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'pages are append-only: % of % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER no_update_or_delete BEFORE UPDATE OR DELETE ON replays_page
    FOR EACH ROW EXECUTE FUNCTION replays_page_is_append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON replays_page
    FOR EACH STATEMENT EXECUTE FUNCTION replays_page_is_append_only();
"""
ALLOW = """
DROP TRIGGER no_truncate ON replays_page;
DROP TRIGGER no_update_or_delete ON replays_page;
DROP FUNCTION replays_page_is_append_only();
"""


class Migration(migrations.Migration):
    dependencies = (("replays", "0001_initial"),)
    operations = (migrations.RunSQL(FORBID, ALLOW),)
