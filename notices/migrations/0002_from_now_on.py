"""What happened before there were notices is told to nobody."""

from django.db import migrations

LEAGUES = """
INSERT INTO notices_cursor (name, length, ahead)
SELECT id, length, '{}' FROM replays_stream WHERE id LIKE 'tournament/%'
"""
TRIALS = """
INSERT INTO notices_cursor (name, length, ahead)
SELECT 'trials', edge, coalesce((SELECT array_agg(id) FROM bots_botversion WHERE id > edge AND status <> 'trial'), '{}')
FROM (SELECT coalesce(min(id) FILTER (WHERE status = 'trial') - 1, max(id), 0) AS edge FROM bots_botversion) AS known
"""


class Migration(migrations.Migration):
    dependencies = [
        ("notices", "0001_initial"),
        ("bots", "0009_co_authors"),
        ("replays", "0008_one_word_each"),
    ]
    operations = [
        migrations.RunSQL(LEAGUES, "DELETE FROM notices_cursor"),
        migrations.RunSQL(TRIALS, migrations.RunSQL.noop),
    ]
