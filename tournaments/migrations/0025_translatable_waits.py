"""Store the reason why a league waits with its template, so that pages can translate it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Removes the limit of the column; the texts in it stay readable."""

    dependencies = [
        ('tournaments', '0024_league_logos'),
    ]

    operations = [
        migrations.AlterField(
            model_name='league',
            name='waits',
            field=models.TextField(blank=True, default=''),
        ),
    ]
