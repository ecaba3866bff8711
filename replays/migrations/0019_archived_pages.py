"""Pages may be deleted where a block of just their stream is recorded, and nowhere else; that record stays for ever."""

from __future__ import annotations

from django.db import migrations

NARROW = """
CREATE FUNCTION replays_is_archived(wanted text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM replays_block block
        JOIN replays_stream stream ON stream.id = block.stream_id
        JOIN replays_match match ON 'match/' || match.id = stream.id
        WHERE stream.id = wanted AND match.status = 'closed'
          AND block.length = stream.length AND block.head = stream.head
    )
$$;
CREATE OR REPLACE FUNCTION replays_page_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF replays_is_archived(OLD.stream_id) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'pages are append-only: % of % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE FUNCTION replays_block_is_for_ever() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the archive is append-only: % of % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER no_update_or_delete BEFORE UPDATE OR DELETE ON replays_block
    FOR EACH ROW EXECUTE FUNCTION replays_block_is_for_ever();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON replays_block
    FOR EACH STATEMENT EXECUTE FUNCTION replays_block_is_for_ever();
"""
WIDE = """
DROP TRIGGER no_truncate ON replays_block;
DROP TRIGGER no_update_or_delete ON replays_block;
DROP FUNCTION replays_block_is_for_ever();
CREATE OR REPLACE FUNCTION replays_page_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'pages are append-only: % of % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
DROP FUNCTION replays_is_archived(text);
"""


class Migration(migrations.Migration):
    dependencies = (("replays", "0018_blocks"),)
    operations = (migrations.RunSQL(NARROW, WIDE),)
