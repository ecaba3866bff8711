"""The sessions belong to the people; their table is handed over as it stands (`people` 0001)."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('bots', '0006_names_end'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel('SignIn')]),
    ]
