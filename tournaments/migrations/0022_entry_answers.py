"""Add the answers of entrants to the questions of leagues."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Creates the table of answers."""

    dependencies = [
        ('tournaments', '0021_series'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='EntryAnswers',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('entry', models.PositiveIntegerField()),
                ('answers', models.JSONField()),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='tournaments.league')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entry_answers', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('league', 'entry'), name='one_row_of_answers_per_entry')],
            },
        ),
    ]
