"""A version is retired when its author leaves. Nothing changes in the database."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('bots', '0007_sessions_move'),
    ]

    operations = [
        migrations.AlterField(
            model_name='botversion',
            name='status',
            field=models.CharField(choices=[('trial', 'on trial'), ('active', 'active'), ('refused', 'refused'), ('retired', 'retired')], default='trial', max_length=10),
        ),
    ]
