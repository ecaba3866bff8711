"""Models of archived matches and compression dictionaries."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models


class Dictionary(models.Model):
    """Compression dictionary for the logs of a game, stored in the archive under its name; the newest is used."""

    name = models.CharField(max_length=64, primary_key=True)
    """SHA-256 in hexadecimal."""
    game = models.CharField(max_length=40, db_index=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "dictionaries"

    def __str__(self) -> str:
        return f"{self.game} {self.name[:12]}"


class Block(models.Model):
    """Place of an archived match's pages: created after they were read back from there, and never changed."""

    stream_id = models.CharField(max_length=80, primary_key=True)
    """The stream's name; its row in the database is gone, and length and head stand here."""
    name = models.CharField(max_length=64)
    """SHA-256 of the block, its name in the archive."""
    size = models.PositiveIntegerField()
    """Bytes."""
    length = models.PositiveIntegerField()
    head = models.BinaryField()
    root = models.BinaryField()
    """Merkle root over the heads of its pages."""
    excuses = ArrayField(models.CharField(max_length=10), default=list)
    """Reasons for which choices were made for seats. The search uses them, as the pages are in the archive."""
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.stream_id} as {self.name[:12]}"
