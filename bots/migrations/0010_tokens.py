"""Tokens of our own, with a name, scopes and an end; those that django-rest-knox kept stay what they were."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

TAKE_OVER = """
DO $$ BEGIN
    IF to_regclass('knox_authtoken') IS NOT NULL THEN
        INSERT INTO bots_token (owner_id, name, scopes, start, digest, created_at, expires_at)
        SELECT user_id, 'from before tokens had names', ARRAY['upload', 'enter', 'read'], left(token_key, 15), digest, created, expiry
        FROM knox_authtoken;
        DROP TABLE knox_authtoken;
        DELETE FROM django_migrations WHERE app = 'knox';
    END IF;
END $$
"""


class Migration(migrations.Migration):

    dependencies = [
        ('bots', '0009_co_authors'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='DeviceCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=128, unique=True)),
                ('user_code', models.CharField(max_length=8, unique=True)),
                ('client', models.CharField(max_length=60)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=10), size=None)),
                ('address', models.CharField(max_length=60)),
                ('asked_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField(db_index=True)),
                ('polled_at', models.DateTimeField()),
                ('interval', models.PositiveSmallIntegerField()),
                ('refused', models.BooleanField(default=False)),
                ('approved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Token',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=10), size=None)),
                ('start', models.CharField(db_index=True, max_length=15)),
                ('digest', models.CharField(max_length=128, unique=True)),
                ('created_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField(null=True)),
                ('used_at', models.DateTimeField(null=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.RunSQL(TAKE_OVER, migrations.RunSQL.noop),
    ]
