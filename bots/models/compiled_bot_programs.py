"""Compiled programs, stored beside their sources."""

from __future__ import annotations

from django.db import models

from bots.models import BotPackage


class CompiledBotProgram(models.Model):
    """The program compiled from a package (a bot's uploaded files), shared by all machines."""

    package = models.OneToOneField(BotPackage, on_delete=models.PROTECT, primary_key=True, related_name="build")
    digest = models.CharField(max_length=64)
    """SHA-256 of the program."""
    machine = models.CharField(max_length=40)
    """Processor architecture of the program, as named by `platform.machine`."""
    size = models.PositiveIntegerField()
    body = models.BinaryField()
    words = models.TextField(blank=True)
    """Messages of the compiler."""
    built_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "bots_build"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.digest[:12]} of {self.package_id[:12]}"
