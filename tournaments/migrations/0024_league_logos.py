"""Add logos: pictures of leagues."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Creates the table of logos, and the column with the hash of a league's logo."""

    dependencies = [
        ('tournaments', '0023_league_templates'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='league',
            name='logo',
            field=models.CharField(blank=True, db_default='', default='', max_length=16),
        ),
        migrations.CreateModel(
            name='LeagueLogo',
            fields=[
                ('league', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='logo_picture', serialize=False, to='tournaments.league')),
                ('body', models.BinaryField()),
                ('set_at', models.DateTimeField(auto_now=True)),
                ('set_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
    ]
