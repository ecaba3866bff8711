from django.db import migrations, models


class Migration(migrations.Migration):
    """What each worker can play and build; workers of before say nothing of it."""

    dependencies = [("bots", "0013_quotas")]

    operations = [
        migrations.AddField(
            model_name="cagereport",
            name="languages",
            field=models.JSONField(default=dict, db_default={}),
        ),
    ]
