"""Models of archived match logs (blocks) and of their compression dictionaries."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models


class CompressionDictionary(models.Model):
    """A zstd dictionary that compresses the archived match logs of a game."""

    # A game can have several: logs are compressed with the newest.

    name = models.CharField(max_length=64, primary_key=True)
    """SHA-256 of the dictionary in hexadecimal, its name in the archive."""
    game = models.CharField(max_length=40, db_index=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "replays_dictionary"  # the table keeps its name, so that an upgrade can be undone
        verbose_name_plural = "dictionaries"

    def __str__(self) -> str:
        return f"{self.game} {self.name[:12]}"


class ArchivedMatchLog(models.Model):
    """Description of an archived match log, such as its size and hashes. The database forbids changes to the record."""

    # It is stored after the file was written to the archive, read back and compared with the log.

    stream_id = models.CharField(max_length=80, primary_key=True)
    """Name of the match's stream. Its `EventStream` is deleted; this model stores its `length` and `head`."""
    name = models.CharField(max_length=64)
    """SHA-256 of the block in hexadecimal, its name in the archive."""
    size = models.PositiveIntegerField()
    """Size of the block in bytes."""
    length = models.PositiveIntegerField()
    head = models.BinaryField()
    root = models.BinaryField()
    """Merkle root over the hashes of the log's pages."""
    excuses = ArrayField(models.CharField(max_length=10), default=list)
    """Reasons why bots gave no valid answer in the match, such as ``timeout``; copied from the log for searches."""
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "replays_block"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.stream_id} as {self.name[:12]}"
