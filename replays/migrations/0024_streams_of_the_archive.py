"""Let a match's stream go once its pages are in the archive: its block has the same length and head."""

from django.db import migrations, models

APART = """
DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT conname FROM pg_constraint WHERE conrelid = 'replays_block'::regclass AND contype = 'f'
    LOOP EXECUTE format('ALTER TABLE replays_block DROP CONSTRAINT %I', name); END LOOP;
    FOR name IN SELECT indexname FROM pg_indexes
        WHERE tablename = 'replays_block' AND indexname LIKE '%\\_like' AND schemaname = 'public'
    LOOP EXECUTE format('DROP INDEX %I', name); END LOOP;
END $$
"""
LET_GO = """
DELETE FROM replays_stream AS stream USING replays_block AS block
WHERE block.stream_id = stream.id AND (block.length, block.head) = (stream.length, stream.head)
AND NOT EXISTS (SELECT FROM replays_page AS page WHERE page.stream_id = stream.id)
"""
TOGETHER = """
INSERT INTO replays_stream (id, length, head, fence) SELECT stream_id, length, head, 1 FROM replays_block
ON CONFLICT DO NOTHING;
ALTER TABLE replays_block ADD CONSTRAINT replays_block_of_a_stream FOREIGN KEY (stream_id)
    REFERENCES replays_stream (id) DEFERRABLE INITIALLY DEFERRED
"""


class Migration(migrations.Migration):
    """Makes the reference a name, and lets the streams go that are there twice."""

    dependencies = [("replays", "0023_fewer_indexes")]

    operations = [
        migrations.RunSQL(APART, TOGETHER),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField("block", "stream"),
                migrations.AddField("block", "stream_id", models.CharField(max_length=80, primary_key=True, serialize=False)),
            ]
        ),
        migrations.RunSQL(LET_GO, migrations.RunSQL.noop),
    ]
