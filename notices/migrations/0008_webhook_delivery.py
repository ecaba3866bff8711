"""Give the model of webhook deliveries a clearer name; its table keeps the name that it has."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    """Renames a model in the state only: the database does not change."""

    dependencies = [("notices", "0007_clearer_model_names")]

    operations = [
        migrations.AlterModelTable(name="Delivery", table="notices_delivery"),
        migrations.RenameModel(old_name="Delivery", new_name="WebhookDelivery"),
    ]
