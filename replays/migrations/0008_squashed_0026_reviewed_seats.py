"""Make logs append-only; create reviews, presence, mailboxes, sums and failed work."""

from __future__ import annotations

from django.conf import settings
from django.db import migrations, models

USER = settings.AUTH_USER_MODEL
APPEND_ONLY = """
CREATE FUNCTION replays_is_archived(wanted text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM replays_block block
        JOIN replays_stream stream ON stream.id = block.stream_id
        JOIN replays_match match ON 'match/' || match.id = stream.id
        WHERE stream.id = wanted AND match.status = 'closed'
          AND block.length = stream.length AND block.head = stream.head
    )
$$;
CREATE FUNCTION replays_page_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF replays_is_archived(OLD.stream_id) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'pages are append-only: % of % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER no_update_or_delete BEFORE UPDATE OR DELETE ON replays_page
    FOR EACH ROW EXECUTE FUNCTION replays_page_is_append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON replays_page
    FOR EACH STATEMENT EXECUTE FUNCTION replays_page_is_append_only();
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
"""Pages are deleted only if the archive has their match; the record of an archived match stays forever."""
NOT_APPEND_ONLY = """
DROP TRIGGER no_truncate ON replays_block;
DROP TRIGGER no_update_or_delete ON replays_block;
DROP FUNCTION replays_block_is_for_ever();
DROP TRIGGER no_truncate ON replays_page;
DROP TRIGGER no_update_or_delete ON replays_page;
DROP FUNCTION replays_page_is_append_only();
DROP FUNCTION replays_is_archived(text);
"""
SEATS = """
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
"""Triggers fill the bot and the end of the match of each seat."""
NO_SEATS = """
DROP TRIGGER seat_end ON replays_match; DROP FUNCTION replays_seat_end();
DROP TRIGGER seat_bot ON replays_matchseat; DROP FUNCTION replays_seat_bot();
"""
NO_LIKE = "DROP INDEX replays_match_id_7abafb29_like; DROP INDEX replays_block_stream_id_242a83dd_like"
"""Django indexes text keys for LIKE, which no query of these tables uses."""


class Migration(migrations.Migration):
    replaces = [
        ("replays", "0008_one_word_each"),
        ("replays", "0009_released"),
        ("replays", "0010_answers_kept"),
        ("replays", "0011_matches_in_the_plural"),
        ("replays", "0012_ladder_matches"),
        ("replays", "0013_outside_seats"),
        ("replays", "0014_memory_seen"),
        ("replays", "0015_reviews"),
        ("replays", "0016_reviews_by_end"),
        ("replays", "0017_seat_sums"),
        ("replays", "0018_blocks"),
        ("replays", "0019_archived_pages"),
        ("replays", "0020_seats_of_bots"),
        ("replays", "0021_all_seats_of_a_bot"),
        ("replays", "0022_traces"),
        ("replays", "0023_fewer_indexes"),
        ("replays", "0024_streams_of_the_archive"),
        ("replays", "0025_failed_work"),
        ("replays", "0026_reviewed_seats"),
    ]
    dependencies = [migrations.swappable_dependency(USER), ("replays", "0001_squashed_0007_kinds")]
    operations = [
        migrations.AlterModelTable("MatchAudit", None),
        migrations.AlterField("MatchAudit", "at", models.DateTimeField(auto_now=True, db_index=True)),
        migrations.AddIndex(
            "MatchAudit",
            models.Index(condition=models.Q(("found", ""), _negated=True), fields=["-at"], name="differing_matches"),
        ),
        migrations.RunSQL(NO_LIKE, migrations.RunSQL.noop),
        migrations.RunSQL(APPEND_ONLY, NOT_APPEND_ONLY),
        migrations.RunSQL(SEATS, NO_SEATS),
        migrations.CreateModel(
            name="Attendance",
            fields=[
                (
                    "bot",
                    models.OneToOneField(
                        "bots.bot", models.CASCADE, primary_key=True, related_name="attendance", serialize=False
                    ),
                ),
                ("connection", models.CharField(max_length=32)),
                ("since", models.DateTimeField()),
                ("alive_until", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Mailbox",
            fields=[
                (
                    "seat",
                    models.OneToOneField(
                        "replays.matchseat", models.CASCADE, primary_key=True, related_name="mailbox", serialize=False
                    ),
                ),
                ("hello", models.TextField(blank=True)),
                ("number", models.PositiveIntegerField(default=0)),
                ("line", models.TextField(blank=True)),
                ("items", models.PositiveIntegerField(default=0)),
                ("asked_at", models.DateTimeField(null=True)),
                ("sent_at", models.DateTimeField(null=True)),
                ("spent_ms", models.PositiveIntegerField(default=0)),
                ("answered_at", models.DateTimeField(null=True)),
                ("choice", models.IntegerField(null=True)),
                ("fault", models.TextField(blank=True)),
                ("note", models.TextField(blank=True)),
                ("took_ms", models.PositiveIntegerField(default=0)),
                ("over", models.TextField(blank=True)),
                ("bot", models.ForeignKey("bots.bot", models.PROTECT, related_name="mailboxes")),
            ],
            options={
                "verbose_name_plural": "mailboxes",
                "indexes": [
                    models.Index(condition=models.Q(("sent_at", None)), fields=["bot"], name="mailboxes_not_sent")
                ],
            },
        ),
        migrations.CreateModel(
            name="Review",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("eyes", models.CharField(max_length=6)),
                ("edition", models.PositiveSmallIntegerField(default=1)),
                ("policy", models.CharField(blank=True, max_length=40)),
                ("playouts", models.PositiveIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("running", "being computed"),
                            ("done", "done"),
                            ("given up", "given up"),
                        ],
                        db_index=True,
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0)),
                ("reason", models.TextField(blank=True)),
                ("asked_at", models.DateTimeField(auto_now_add=True)),
                ("begun_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(db_index=True, null=True)),
                ("cpu_ms", models.PositiveBigIntegerField(default=0)),
                ("holder", models.CharField(blank=True, max_length=80)),
                ("lease_until", models.DateTimeField(null=True)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("asked_by", models.ForeignKey(USER, models.SET_NULL, null=True, related_name="reviews_asked_for")),
                ("match", models.ForeignKey("replays.match", models.CASCADE, related_name="reviews")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("match", "eyes"), name="one_review_for_these_eyes")]
            },
        ),
        migrations.CreateModel(
            name="SeatSum",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("size", models.PositiveSmallIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("role", models.CharField(blank=True, max_length=20)),
                ("matches", models.PositiveBigIntegerField()),
                ("won", models.PositiveBigIntegerField()),
                ("places", models.PositiveBigIntegerField()),
                (
                    "bot",
                    models.ForeignKey("bots.bot", models.CASCADE, db_index=False, null=True, related_name="seat_sums"),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("bot", "game", "size", "seat", "role"), name="one_sum_per_seat", nulls_distinct=False
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="Dictionary",
            fields=[
                ("name", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("game", models.CharField(db_index=True, max_length=40)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"verbose_name_plural": "dictionaries"},
        ),
        migrations.CreateModel(
            name="MatchTrace",
            fields=[
                (
                    "match",
                    models.OneToOneField(
                        "replays.match", models.CASCADE, primary_key=True, related_name="+", serialize=False
                    ),
                ),
                ("context", models.CharField(max_length=55)),
            ],
        ),
        migrations.CreateModel(
            name="FailedWork",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=20)),
                ("subject", models.CharField(max_length=200)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("rests_until", models.DateTimeField(null=True)),
                ("left_at", models.DateTimeField(db_index=True, null=True)),
                ("reason", models.TextField(blank=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("kind", "subject"), name="failed_work_once")],
                "verbose_name_plural": "failed work",
            },
        ),
        migrations.CreateModel(
            name="ReviewedSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField()),
                ("summary", models.JSONField()),
                ("bot", models.ForeignKey("bots.bot", models.CASCADE, db_index=False, related_name="reviewed_seats")),
                ("review", models.ForeignKey("replays.review", models.CASCADE, related_name="seats")),
            ],
            options={
                "indexes": [models.Index(fields=["bot", "-id"], name="reviewed_seats_of_a_bot")],
                "constraints": [
                    models.UniqueConstraint(fields=("review", "seat"), name="one_summary_of_a_reviewed_seat")
                ],
            },
        ),
    ]
