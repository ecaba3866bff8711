from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("bots", "0022_trial_attempts")]

    operations = [
        # the table stays: the app `ratelimits` goes on with it
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("Allowance")]),
    ]
