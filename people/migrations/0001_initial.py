"""Takes over the table of sessions that `bots` began; adds invitations, and the cache that all processes share."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

CACHE = """
    CREATE UNLOGGED TABLE people_cache (
        cache_key varchar(255) NOT NULL PRIMARY KEY, value text NOT NULL, expires timestamp with time zone NOT NULL
    );
    CREATE INDEX people_cache_expires ON people_cache (expires);
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('bots', '0007_sessions_move'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE bots_signin RENAME TO people_signin", "ALTER TABLE people_signin RENAME TO bots_signin"
                ),
            ],
            state_operations=[
                migrations.CreateModel(
                    name='SignIn',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.CharField(max_length=40, unique=True)),
                        ('token', models.CharField(max_length=25)),
                        ('address', models.CharField(max_length=60)),
                        ('browser', models.CharField(max_length=120)),
                        ('at', models.DateTimeField(auto_now_add=True)),
                        ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sign_ins', to=settings.AUTH_USER_MODEL)),
                    ],
                ),
            ],
        ),
        migrations.AlterField(
            model_name='signin',
            name='token',
            field=models.CharField(blank=True, max_length=25),
        ),
        # those there are all began with a token
        migrations.AddField(
            model_name='signin',
            name='way',
            field=models.CharField(blank=True, default='token', max_length=60),
            preserve_default=False,
        ),
        migrations.CreateModel(
            name='GoneName',
            fields=[
                ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
            ],
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('role', models.CharField(choices=[('author', 'author'), ('organiser', 'organiser')], max_length=10)),
                ('note', models.CharField(blank=True, max_length=100)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField(null=True)),
                ('used_at', models.DateTimeField(null=True)),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to=settings.AUTH_USER_MODEL)),
                ('used_by', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='invited_by', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.RunSQL(CACHE, "DROP TABLE people_cache"),
    ]
