"""One word for one idea: a league is not a tournament too, nor is who enters it an entry, nor a match a game."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (
        ("bots", "0006_names_end"),
        ("replays", "0008_one_word_each"),
        ("tournaments", "0006_tiebreaks_in_a_list"),
    )
    operations = (
        migrations.RemoveConstraint("entry", "entries_are_numbered"),
        migrations.RemoveConstraint("table", "one_match_per_table"),
        migrations.RenameModel("Tournament", "League"),
        migrations.RenameModel("Entry", "Entrant"),
        migrations.RenameModel("Table", "TableMatch"),
        migrations.RenameField("entrant", "tournament", "league"),
        migrations.RenameField("tablematch", "tournament", "league"),
        migrations.RenameField("rating", "games", "matches"),
        migrations.AlterModelOptions("tablematch", {"ordering": ("league", "round", "number", "game")}),
        migrations.AlterField(
            "entrant",
            "league",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="entrants", to="tournaments.league"
            ),
        ),
        migrations.AlterField(
            "entrant",
            "version",
            models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="entrants", to="bots.botversion"
            ),
        ),
        migrations.AddConstraint(
            "entrant", models.UniqueConstraint(fields=("league", "number"), name="entrants_are_numbered")
        ),
        migrations.AddConstraint(
            "tablematch",
            models.UniqueConstraint(fields=("league", "round", "number", "game"), name="one_match_per_table"),
        ),
    )
