import django.contrib.postgres.fields
from django.db import migrations, models

FILL = "UPDATE tournaments_entry SET tiebreaks = ARRAY[wins, opposition, quality, score::text]"
BACK = (
    "UPDATE tournaments_entry SET wins = tiebreaks[1], opposition = tiebreaks[2], quality = tiebreaks[3],"
    " score = tiebreaks[4]::integer WHERE cardinality(tiebreaks) = 4"
)


# what four columns held is held by one, in the order of `ftk_core.league.scoring.tiebreaks`
class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0005_sound_leagues'),
    ]

    operations = [
        migrations.AddField(
            model_name='entry',
            name='tiebreaks',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None),
        ),
        migrations.RunSQL(FILL, BACK),
        migrations.RemoveField(
            model_name='entry',
            name='wins',
        ),
        migrations.RemoveField(
            model_name='entry',
            name='opposition',
        ),
        migrations.RemoveField(
            model_name='entry',
            name='quality',
        ),
        migrations.RemoveField(
            model_name='entry',
            name='score',
        ),
    ]
