"""A bot's name is checked to its very end: `$` let a line end stand behind it. Nothing changes in the database."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('bots', '0005_turns'),
    ]

    operations = [
        migrations.AlterField(
            model_name='bot',
            name='slug',
            field=models.SlugField(max_length=40, unique=True, validators=[django.core.validators.RegexValidator('^[a-z0-9][a-z0-9-]*\\Z')]),
        ),
    ]
