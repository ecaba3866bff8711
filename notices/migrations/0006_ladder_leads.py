"""Add the leaders of ladders, from which lost leads are found."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Creates the table of the ladders' leaders."""

    dependencies = [
        ('notices', '0005_follows'),
    ]

    operations = [
        migrations.CreateModel(
            name='LadderLead',
            fields=[
                ('game', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('bot', models.CharField(max_length=80)),
                ('head', models.BinaryField()),
            ],
        ),
    ]
