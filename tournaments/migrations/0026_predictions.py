"""Add predictions: the bots that people expect to come first at the tables of a league."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Creates the table of predictions, and the column with which an organiser turns them off."""

    dependencies = [
        ('tournaments', '0025_translatable_waits'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='league',
            name='predictions',
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.CreateModel(
            name='Prediction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField()),
                ('table', models.PositiveSmallIntegerField()),
                ('entry', models.PositiveIntegerField()),
                ('seating', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), default=list, size=None)),
                ('at', models.DateTimeField(auto_now=True)),
                ('points', models.IntegerField(null=True)),
                ('chance', models.IntegerField(null=True)),
                ('league', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.league')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='predictions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('league', 'round', 'person', 'table'), name='one_prediction_per_table')],
            },
        ),
    ]
