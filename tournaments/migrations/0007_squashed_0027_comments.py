"""Rename the tables of leagues; create court ratings, ladders, series, predictions, comments and more."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

USER = settings.AUTH_USER_MODEL
NO_LIKE = "DROP INDEX tournaments_table_match_id_afbbe52f_like"
"""Django indexes text keys for LIKE, which no query of this table uses."""


class Migration(migrations.Migration):
    replaces = [
        ("tournaments", "0007_one_word_each"),
        ("tournaments", "0008_court_ratings"),
        ("tournaments", "0009_ladder_order"),
        ("tournaments", "0010_stages"),
        ("tournaments", "0011_luck_shares"),
        ("tournaments", "0012_court_widths"),
        ("tournaments", "0013_roles"),
        ("tournaments", "0014_continuous_ladders"),
        ("tournaments", "0015_challenges"),
        ("tournaments", "0016_court_spread"),
        ("tournaments", "0017_deviation_fits"),
        ("tournaments", "0018_pruned_ladders"),
        ("tournaments", "0019_fewer_indexes"),
        ("tournaments", "0020_cancelled_leagues"),
        ("tournaments", "0021_series"),
        ("tournaments", "0022_entry_answers"),
        ("tournaments", "0023_league_templates"),
        ("tournaments", "0024_league_logos"),
        ("tournaments", "0025_translatable_waits"),
        ("tournaments", "0026_predictions"),
        ("tournaments", "0027_comments"),
    ]
    dependencies = [migrations.swappable_dependency(USER), ("tournaments", "0001_squashed_0006_tiebreaks_in_a_list")]
    operations = [
        migrations.AlterModelTable("League", None),
        migrations.AlterModelTable("Entrant", None),
        migrations.AlterModelTable("TableMatch", None),
        migrations.AlterField(
            "Entrant", "league", models.ForeignKey("tournaments.league", models.CASCADE, related_name="entrants")
        ),
        migrations.AlterField(
            "TableMatch",
            "league",
            models.ForeignKey("tournaments.league", models.CASCADE, db_index=False, related_name="tables"),
        ),
        migrations.AlterField("Rating", "matches", models.PositiveIntegerField(default=0)),
        migrations.RunSQL(NO_LIKE, migrations.RunSQL.noop),
        migrations.AddField("League", "paused", models.BooleanField(default=False)),
        migrations.AddField("League", "waits", models.TextField(blank=True, default="")),
        migrations.AddField("League", "cancelled", models.TextField(blank=True, db_default="", default="")),
        migrations.AddField("League", "logo", models.CharField(blank=True, db_default="", default="", max_length=16)),
        migrations.AddField("League", "predictions", models.BooleanField(db_default=True, default=True)),
        migrations.AddField(
            "League", "comments", models.CharField(blank=True, db_default="", default="", max_length=10)
        ),
        migrations.CreateModel(
            name="CourtFit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("season", models.CharField(blank=True, default="", max_length=20)),
                ("head", models.BinaryField(default=bytes)),
                ("matches", models.PositiveIntegerField(default=0)),
                ("bound", models.FloatField(default=0)),
                ("seats", models.JSONField(default=list)),
                ("roles", models.JSONField(default=list)),
                ("width", models.FloatField(null=True)),
                ("spread", models.FloatField(null=True)),
            ],
            options={
                "constraints": (models.UniqueConstraint(fields=("game", "season"), name="one_court_fit_per_season"),)
            },
        ),
        migrations.CreateModel(
            name="CourtRating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(db_index=True, max_length=40)),
                ("season", models.CharField(blank=True, default="", max_length=20)),
                ("version", models.PositiveIntegerField()),
                ("value", models.IntegerField()),
                ("low", models.IntegerField()),
                ("high", models.IntegerField()),
                ("provisional", models.BooleanField()),
                ("ahead", models.FloatField(null=True)),
                ("bot", models.ForeignKey("bots.bot", models.CASCADE, related_name="court_ratings")),
            ],
            options={
                "constraints": (models.UniqueConstraint(fields=("bot", "season"), name="one_court_rating_per_season"),)
            },
        ),
        migrations.CreateModel(
            name="LadderFold",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("season", models.CharField(blank=True, default="", max_length=20)),
                ("head", models.BinaryField(default=bytes)),
                ("pruned_before", models.BigIntegerField(db_default=0, default=0)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("game", "season"), name="one_ladder_fold_per_season")]
            },
        ),
        migrations.CreateModel(
            name="MeetingSum",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("halves", models.IntegerField()),
                ("matches", models.IntegerField()),
                ("bot", models.ForeignKey("bots.bot", models.CASCADE, db_index=False, related_name="+")),
                ("ladder", models.ForeignKey("tournaments.ladderfold", models.CASCADE, db_index=False)),
                ("other", models.ForeignKey("bots.bot", models.CASCADE, db_index=False, related_name="+")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("ladder", "bot", "other"), name="one_sum_per_meeting")]
            },
        ),
        migrations.CreateModel(
            name="RatedSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.BigIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("match", models.CharField(max_length=32)),
                ("place", models.PositiveSmallIntegerField()),
                ("seats", models.PositiveSmallIntegerField()),
                ("before", models.IntegerField()),
                ("after", models.IntegerField()),
                ("matches", models.PositiveIntegerField()),
                ("wins", models.PositiveIntegerField()),
                ("bot", models.ForeignKey("bots.bot", models.CASCADE, db_index=False)),
                ("ladder", models.ForeignKey("tournaments.ladderfold", models.CASCADE, db_index=False)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["bot", "ladder", "at"], name="rated_seats_of_a_bot"),
                    models.Index(fields=["match"], name="rated_seats_of_a_match"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("ladder", "at", "seat"), name="one_row_per_rated_seat")
                ],
            },
        ),
        migrations.CreateModel(
            name="LuckMeasure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40, unique=True)),
                ("known", models.PositiveIntegerField()),
                ("seats", models.PositiveSmallIntegerField()),
                ("matches", models.PositiveIntegerField()),
                ("deals", models.PositiveIntegerField()),
                ("shares", models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("verb", models.CharField(max_length=20)),
                ("told", models.JSONField()),
                ("why", models.CharField(blank=True, max_length=200)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "status",
                    models.CharField(
                        choices=[("waiting", "waiting"), ("approved", "approved"), ("declined", "declined")],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("decided_at", models.DateTimeField(null=True)),
                ("by", models.ForeignKey(USER, models.CASCADE, related_name="proposals")),
                ("decided_by", models.ForeignKey(USER, models.SET_NULL, null=True, related_name="+")),
                ("league", models.ForeignKey("tournaments.league", models.CASCADE, related_name="proposals")),
            ],
            options={"ordering": ("-pk",)},
        ),
        migrations.CreateModel(
            name="Refusal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("what", models.CharField(max_length=200)),
                ("why", models.CharField(max_length=200)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("league", models.ForeignKey("tournaments.league", models.CASCADE, related_name="refusals")),
                ("person", models.ForeignKey(USER, models.CASCADE, related_name="refusals")),
            ],
            options={"ordering": ("-pk",)},
        ),
        migrations.CreateModel(
            name="LeagueRole",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[("organiser", "organiser"), ("co-organiser", "co-organiser"), ("judge", "judge")],
                        max_length=12,
                    ),
                ),
                ("league", models.ForeignKey("tournaments.league", models.CASCADE, related_name="roles")),
                ("person", models.ForeignKey(USER, models.CASCADE, related_name="league_roles")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("league", "person"), name="one_role_in_a_league")]
            },
        ),
        migrations.CreateModel(
            name="ContinuousLadder",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40, unique=True)),
                ("rate", models.PositiveIntegerField(default=0)),
                ("sizes", ArrayField(models.PositiveSmallIntegerField(), default=list)),
                ("options", models.TextField(blank=True, default="")),
                ("move_ms", models.PositiveIntegerField(default=1000)),
                ("bank_ms", models.PositiveIntegerField(default=10000)),
                ("due", models.FloatField(default=0)),
                ("called", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="CalledVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sat", models.JSONField(default=dict)),
                ("crashes", models.PositiveIntegerField(default=0)),
                ("benched", models.CharField(blank=True, default="", max_length=200)),
                ("version", models.OneToOneField("bots.botversion", models.CASCADE, related_name="on_ladder")),
                ("ladder", models.ForeignKey("tournaments.continuousladder", models.CASCADE, related_name="versions")),
                ("last", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Bout",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("ended", models.BooleanField(default=False)),
                ("match", models.OneToOneField("replays.match", models.PROTECT, related_name="bout")),
                ("ladder", models.ForeignKey("tournaments.continuousladder", models.CASCADE, related_name="bouts")),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("ended", False)), fields=["ladder"], name="bouts_that_go_on")
                ],
                "constraints": [models.UniqueConstraint(fields=("ladder", "number"), name="bouts_are_numbered")],
            },
        ),
        migrations.CreateModel(
            name="Challenge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("versions", ArrayField(models.BigIntegerField())),
                ("names", ArrayField(models.CharField(max_length=60))),
                ("size", models.PositiveIntegerField()),
                ("duplicate", models.BooleanField(default=False)),
                ("seed", models.CharField(blank=True, max_length=60)),
                ("at", models.DateTimeField(auto_now_add=True, db_index=True)),
                ("by", models.ForeignKey(USER, models.CASCADE, related_name="challenges")),
            ],
        ),
        migrations.CreateModel(
            name="ChallengeMatch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("ended", models.BooleanField(default=False)),
                ("challenge", models.ForeignKey("tournaments.challenge", models.CASCADE, related_name="matches")),
                ("match", models.OneToOneField("replays.match", models.PROTECT, related_name="challenge")),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("ended", False)), fields=["match"], name="challenges_that_go_on")
                ],
                "constraints": [models.UniqueConstraint(fields=("challenge", "number"), name="matches_of_a_challenge")],
            },
        ),
        migrations.CreateModel(
            name="DeviationFit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("season", models.CharField(blank=True, default="", max_length=20)),
                ("scores", models.JSONField(default=list)),
                ("cycles", models.JSONField(default=list)),
                ("unmet", models.FloatField(default=0)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("game", "season"), name="one_deviation_fit_per_season")]
            },
        ),
        migrations.CreateModel(
            name="Series",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("name", models.CharField(max_length=80)),
                ("game", models.CharField(max_length=40)),
                ("drops", models.PositiveSmallIntegerField(default=0)),
                ("points", ArrayField(models.PositiveIntegerField(), default=list)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("owner", models.ForeignKey(USER, models.SET_NULL, null=True, related_name="series")),
                ("leagues", models.ManyToManyField("tournaments.league", related_name="series")),
            ],
        ),
        migrations.CreateModel(
            name="EntryAnswers",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("entry", models.PositiveIntegerField()),
                ("answers", models.JSONField()),
                ("league", models.ForeignKey("tournaments.league", models.CASCADE, related_name="answers")),
                ("person", models.ForeignKey(USER, models.CASCADE, related_name="entry_answers")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("league", "entry"), name="one_row_of_answers_per_entry")
                ]
            },
        ),
        migrations.CreateModel(
            name="LeagueTemplate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=60, unique=True)),
                ("terms", models.TextField()),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("made_by", models.ForeignKey(USER, models.SET_NULL, null=True, related_name="+")),
            ],
            options={"ordering": ("name",)},
        ),
        migrations.CreateModel(
            name="LeagueLogo",
            fields=[
                (
                    "league",
                    models.OneToOneField(
                        "tournaments.league",
                        models.CASCADE,
                        primary_key=True,
                        related_name="logo_picture",
                        serialize=False,
                    ),
                ),
                ("body", models.BinaryField()),
                ("set_at", models.DateTimeField(auto_now=True)),
                ("set_by", models.ForeignKey(USER, models.SET_NULL, null=True, related_name="+")),
            ],
        ),
        migrations.CreateModel(
            name="Prediction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.PositiveSmallIntegerField()),
                ("table", models.PositiveSmallIntegerField()),
                ("entry", models.PositiveIntegerField()),
                ("seating", ArrayField(models.PositiveIntegerField(), default=list)),
                ("at", models.DateTimeField(auto_now=True)),
                ("points", models.IntegerField(null=True)),
                ("chance", models.IntegerField(null=True)),
                ("league", models.ForeignKey("tournaments.league", models.CASCADE, db_index=False, related_name="+")),
                ("person", models.ForeignKey(USER, models.CASCADE, related_name="predictions")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("league", "round", "person", "table"), name="one_prediction_per_table"
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="Comment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("match", models.CharField(blank=True, default="", max_length=32)),
                ("text", models.CharField(max_length=1000)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "status",
                    models.CharField(
                        choices=[("shown", "shown"), ("waiting", "waits for approval"), ("hidden", "hidden")],
                        max_length=10,
                    ),
                ),
                ("hidden_why", models.CharField(blank=True, default="", max_length=200)),
                ("hidden_by", models.ForeignKey(USER, models.SET_NULL, null=True, related_name="+")),
                ("league", models.ForeignKey("tournaments.league", models.CASCADE, db_index=False, related_name="+")),
                ("person", models.ForeignKey(USER, models.CASCADE, related_name="comments")),
            ],
            options={"indexes": [models.Index(fields=["league", "match", "-id"], name="comments_of_a_page")]},
        ),
        migrations.CreateModel(
            name="CommentReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("why", models.CharField(max_length=200)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("comment", models.ForeignKey("tournaments.comment", models.CASCADE, related_name="reports")),
                ("person", models.ForeignKey(USER, models.CASCADE, related_name="comment_reports")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("comment", "person"), name="one_report_per_person")]
            },
        ),
    ]
