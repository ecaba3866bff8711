"""Create the tables of bots, their versions, builds and tokens, and of the workers' reports."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import RegexValidator
from django.db import migrations, models

USER = settings.AUTH_USER_MODEL


class Migration(migrations.Migration):
    initial = True
    replaces = [
        ("bots", "0001_initial"),
        ("bots", "0002_cage_report"),
        ("bots", "0003_cage_cgroup"),
        ("bots", "0004_allowances"),
        ("bots", "0005_turns"),
        ("bots", "0006_names_end"),
        ("bots", "0007_sessions_move"),
        ("bots", "0008_retired"),
        ("bots", "0009_co_authors"),
        ("bots", "0010_tokens"),
        ("bots", "0011_answered"),
        ("bots", "0012_banned"),
        ("bots", "0013_quotas"),
        ("bots", "0014_languages"),
        ("bots", "0015_outside_seats"),
        ("bots", "0016_resting"),
        ("bots", "0017_challenges"),
        ("bots", "0018_reviews_asked"),
        ("bots", "0019_traces"),
        ("bots", "0020_former_members"),
        ("bots", "0021_builds"),
        ("bots", "0022_trial_attempts"),
        ("bots", "0023_hand_over_rate_limits"),
    ]
    dependencies = [migrations.swappable_dependency(USER)]
    operations = [
        migrations.CreateModel(
            name="Package",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("command", models.JSONField()),
                ("size", models.PositiveIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Bot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slug",
                    models.SlugField(max_length=40, unique=True, validators=[RegexValidator("^[a-z0-9][a-z0-9-]*\\Z")]),
                ),
                ("game", models.CharField(db_index=True, max_length=40)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("owner", models.ForeignKey(USER, models.PROTECT, related_name="bots")),
                ("banned", models.CharField(blank=True, default="", max_length=200)),
                (
                    "kind",
                    models.CharField(
                        choices=[("uploaded", "uploaded"), ("remote", "remote"), ("person", "by hand")],
                        db_default="uploaded",
                        default="uploaded",
                        max_length=10,
                    ),
                ),
                ("challenged", models.BooleanField(db_default=True, default=True)),
            ],
        ),
        migrations.CreateModel(
            name="BotVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("trial", "on trial"),
                            ("active", "active"),
                            ("refused", "refused"),
                            ("retired", "retired"),
                            ("resting", "resting"),
                        ],
                        default="trial",
                        max_length=10,
                    ),
                ),
                ("reason", models.TextField(blank=True)),
                ("trial_log", models.TextField(blank=True)),
                ("uploaded_at", models.DateTimeField(auto_now_add=True)),
                ("bot", models.ForeignKey("bots.bot", models.PROTECT, related_name="versions")),
                ("package", models.ForeignKey("bots.package", models.PROTECT, related_name="versions")),
                ("token", models.CharField(blank=True, max_length=25)),
                ("trial_until", models.DateTimeField(null=True)),
                ("tried_at", models.DateTimeField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(db_default=0, default=0)),
            ],
            options={
                "ordering": ("bot", "-number"),
                "constraints": [models.UniqueConstraint(fields=("bot", "number"), name="versions_are_numbered")],
            },
        ),
        migrations.CreateModel(
            name="PackageFile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("path", models.CharField(max_length=200)),
                ("body", models.BinaryField()),
                ("package", models.ForeignKey("bots.package", models.PROTECT, related_name="files")),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("package", "path"), name="one_file_per_path")]},
        ),
        migrations.CreateModel(
            name="CageReport",
            fields=[
                ("worker", models.CharField(max_length=120, primary_key=True, serialize=False)),
                ("tier", models.CharField(max_length=20)),
                ("held", models.BooleanField()),
                ("reason", models.TextField(blank=True)),
                ("tried_at", models.DateTimeField(auto_now=True)),
                ("cgroup", models.BooleanField(default=False)),
                ("languages", models.JSONField(db_default={}, default=dict)),
            ],
        ),
        migrations.CreateModel(
            name="Share",
            fields=[
                ("kind", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("spent", models.FloatField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="CoAuthor",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("invited_at", models.DateTimeField(auto_now_add=True)),
                ("accepted_at", models.DateTimeField(null=True)),
                ("bot", models.ForeignKey("bots.bot", models.CASCADE, related_name="co_authors")),
                ("person", models.ForeignKey(USER, models.CASCADE, related_name="shared_bots")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("bot", "person"), name="co_authors_are_invited_once")]
            },
        ),
        migrations.CreateModel(
            name="DeviceCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=128, unique=True)),
                ("user_code", models.CharField(max_length=8, unique=True)),
                ("client", models.CharField(max_length=60)),
                ("scopes", ArrayField(models.CharField(max_length=10))),
                ("address", models.CharField(max_length=60)),
                ("asked_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField(db_index=True)),
                ("polled_at", models.DateTimeField()),
                ("interval", models.PositiveSmallIntegerField()),
                ("refused", models.BooleanField(default=False)),
                ("approved_by", models.ForeignKey(USER, models.CASCADE, null=True, related_name="+")),
            ],
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=60)),
                ("scopes", ArrayField(models.CharField(max_length=10))),
                ("start", models.CharField(db_index=True, max_length=15)),
                ("digest", models.CharField(max_length=128, unique=True)),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField(null=True)),
                ("used_at", models.DateTimeField(null=True)),
                ("owner", models.ForeignKey(USER, models.CASCADE, related_name="tokens")),
            ],
        ),
        migrations.CreateModel(
            name="Answered",
            fields=[
                ("key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("print", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField(default=0)),
                ("body", models.JSONField(null=True)),
                ("at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="Quota",
            fields=[
                (
                    "person",
                    models.OneToOneField(USER, models.CASCADE, primary_key=True, related_name="quota", serialize=False),
                ),
                ("uploads", models.PositiveIntegerField(blank=True, null=True)),
                ("disk", models.PositiveBigIntegerField(blank=True, null=True)),
                ("trials", models.PositiveIntegerField(blank=True, null=True)),
                ("challenges", models.PositiveIntegerField(blank=True, null=True)),
                ("reviews", models.PositiveIntegerField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="VersionTrace",
            fields=[
                (
                    "version",
                    models.OneToOneField(
                        "bots.botversion", models.CASCADE, primary_key=True, related_name="+", serialize=False
                    ),
                ),
                ("context", models.CharField(max_length=55)),
            ],
        ),
        migrations.CreateModel(
            name="FormerMember",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("left_at", models.DateTimeField()),
                ("bot", models.ForeignKey("bots.bot", models.CASCADE, related_name="former_members")),
                ("person", models.ForeignKey(USER, models.CASCADE, related_name="former_teams")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("bot", "person"), name="one_row_for_a_former_member")]
            },
        ),
        migrations.CreateModel(
            name="Build",
            fields=[
                (
                    "package",
                    models.OneToOneField(
                        "bots.package", models.PROTECT, primary_key=True, related_name="build", serialize=False
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("machine", models.CharField(max_length=40)),
                ("size", models.PositiveIntegerField()),
                ("body", models.BinaryField()),
                ("words", models.TextField(blank=True)),
                ("built_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
    ]
