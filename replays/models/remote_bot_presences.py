"""Model of the presence of remote bots: times at which their programs connect and disconnect."""

from __future__ import annotations

from django.db import models


class RemoteBotPresence(models.Model):
    """Presence of a remote bot's program. The connected server process regularly extends `alive_until`."""

    bot = models.OneToOneField("bots.Bot", on_delete=models.CASCADE, primary_key=True, related_name="attendance")
    connection = models.CharField(max_length=32)
    """Id of the bot's newest connection, which replaced earlier connections."""
    since = models.DateTimeField()
    alive_until = models.DateTimeField()
    """Time at which the presence expires unless the server process extends it."""
    closed_at = models.DateTimeField(null=True)
    """Time at which the program disconnected; null while it is present, or if the arena lost the connection."""

    class Meta:
        db_table = "replays_attendance"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.bot} since {self.since}"
