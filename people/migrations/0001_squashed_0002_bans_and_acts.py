"""Create sign-ins, invitations, bans and the log of staff; the next migration renames the table of sign-ins."""

from __future__ import annotations

from django.conf import settings
from django.db import migrations, models

USER = settings.AUTH_USER_MODEL


class Migration(migrations.Migration):
    initial = True
    replaces = [("people", "0001_initial"), ("people", "0002_bans_and_acts")]
    dependencies = [migrations.swappable_dependency(USER)]
    operations = [
        # the indexes and constraints of the table keep these names
        migrations.CreateModel(
            name="SignIn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=40, unique=True)),
                ("token", models.CharField(blank=True, max_length=25)),
                ("address", models.CharField(max_length=60)),
                ("browser", models.CharField(max_length=120)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("owner", models.ForeignKey(USER, models.CASCADE, related_name="sign_ins")),
            ],
            options={"db_table": "bots_signin"},
        ),
        migrations.CreateModel(
            name="GoneName", fields=[("digest", models.CharField(max_length=64, primary_key=True, serialize=False))]
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("role", models.CharField(choices=[("author", "author"), ("organiser", "organiser")], max_length=10)),
                ("note", models.CharField(blank=True, max_length=100)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField(null=True)),
                ("used_at", models.DateTimeField(null=True)),
                ("made_by", models.ForeignKey(USER, models.CASCADE, null=True, related_name="invitations")),
                ("used_by", models.OneToOneField(USER, models.SET_NULL, null=True, related_name="invited_by")),
            ],
        ),
        migrations.CreateModel(
            name="Ban",
            fields=[
                (
                    "person",
                    models.OneToOneField(USER, models.CASCADE, primary_key=True, related_name="ban", serialize=False),
                ),
                ("why", models.CharField(max_length=200)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="StaffAct",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(max_length=150)),
                ("what", models.CharField(max_length=40)),
                ("on", models.CharField(max_length=200)),
                ("why", models.CharField(blank=True, max_length=200)),
                ("address", models.CharField(blank=True, max_length=60)),
                ("by", models.ForeignKey(USER, models.SET_NULL, null=True, related_name="+")),
                ("person", models.ForeignKey(USER, models.SET_NULL, null=True, related_name="+")),
            ],
            options={"ordering": ("-pk",)},
        ),
    ]
