from django.db import migrations


class Migration(migrations.Migration):
    dependencies = (("replays", "0007_kinds"),)
    operations = (migrations.RenameModel("Audited", "MatchAudit"),)
