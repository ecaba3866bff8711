from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    dependencies = [("bots", "0023_hand_over_rate_limits")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Allowance",
                    fields=[
                        ("key", models.CharField(max_length=120, primary_key=True, serialize=False)),
                        ("until", models.DateTimeField()),
                        ("failures", models.PositiveIntegerField(default=0)),
                    ],
                    options={"db_table": "bots_allowance"},
                ),
            ]
        ),
    ]
