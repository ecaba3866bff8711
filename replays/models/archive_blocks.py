"""Models of archived match logs (blocks) and of their compression dictionaries."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models


class Dictionary(models.Model):
    """A zstd dictionary for the match logs of a game, stored in the archive; the newest compresses new blocks."""

    name = models.CharField(max_length=64, primary_key=True)
    """SHA-256 of the dictionary in hexadecimal, its name in the archive."""
    game = models.CharField(max_length=40, db_index=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "dictionaries"

    def __str__(self) -> str:
        return f"{self.game} {self.name[:12]}"


class Block(models.Model):
    """Record of an archived match log (block), stored once the block was read back, and never changed."""

    stream_id = models.CharField(max_length=80, primary_key=True)
    """Name of the match's stream. Its `Stream` is deleted, and its `length` and `head` are stored in this model."""
    name = models.CharField(max_length=64)
    """SHA-256 of the block in hexadecimal, its name in the archive."""
    size = models.PositiveIntegerField()
    """Size of the block in bytes."""
    length = models.PositiveIntegerField()
    head = models.BinaryField()
    root = models.BinaryField()
    """Merkle root over the hashes of the log's pages."""
    excuses = ArrayField(models.CharField(max_length=10), default=list)
    """Reasons for which default choices were made in the match, copied from the archived log for the search."""
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.stream_id} as {self.name[:12]}"
