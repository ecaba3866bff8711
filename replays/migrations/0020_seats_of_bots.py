"""Give each seat its bot and its match's end, so that what a bot played last is found along one index.

Two triggers keep both, whoever writes: the release before this one knows neither.
"""

import django.db.models.deletion
from django.db import migrations, models

FILL = """
UPDATE replays_matchseat SET bot_id = version.bot_id, closed_at = match.closed_at
FROM bots_botversion AS version, replays_match AS match
WHERE version.id = version_id AND match.id = match_id
"""
TRIGGERS = """
CREATE FUNCTION replays_seat_bot() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.bot_id := (SELECT bot_id FROM bots_botversion WHERE id = NEW.version_id);
    RETURN NEW;
END $$;
CREATE TRIGGER seat_bot BEFORE INSERT ON replays_matchseat FOR EACH ROW EXECUTE FUNCTION replays_seat_bot();
CREATE FUNCTION replays_seat_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE replays_matchseat SET closed_at = NEW.closed_at
    WHERE match_id = NEW.id AND closed_at IS DISTINCT FROM NEW.closed_at;
    RETURN NULL;
END $$;
CREATE TRIGGER seat_end AFTER UPDATE OF closed_at ON replays_match FOR EACH ROW
WHEN (OLD.closed_at IS DISTINCT FROM NEW.closed_at) EXECUTE FUNCTION replays_seat_end();
"""
NO_TRIGGERS = """
DROP TRIGGER seat_end ON replays_match; DROP FUNCTION replays_seat_end();
DROP TRIGGER seat_bot ON replays_matchseat; DROP FUNCTION replays_seat_bot();
"""


def _bot(**more: object) -> models.ForeignKey:
    return models.ForeignKey(
        db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="match_seats", to="bots.bot", **more
    )


class Migration(migrations.Migration):
    """Adds the column, fills both, and holds them from then on."""

    dependencies = [("bots", "0018_reviews_asked"), ("replays", "0019_archived_pages")]

    operations = [
        migrations.AddField("matchseat", "bot", _bot(null=True)),
        migrations.RunSQL(TRIGGERS, NO_TRIGGERS),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AlterField("matchseat", "bot", _bot()),
        migrations.AlterField(
            "matchseat",
            "version",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="match_seats",
                to="bots.botversion",
            ),
        ),
        migrations.AddIndex(
            "matchseat", models.Index(fields=["bot", "-closed_at", "-match"], name="newest_seats_of_a_bot")
        ),
    ]
