"""Which matches are in the archive, and with which dictionaries they were packed."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models


class Dictionary(models.Model):
    """What the logs of a game have in common, kept in the archive under its name; the newest is packed with."""

    name = models.CharField(max_length=64, primary_key=True)
    """Its SHA-256 in hexadecimal."""
    game = models.CharField(max_length=40, db_index=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "dictionaries"

    def __str__(self) -> str:
        return f"{self.game} {self.name[:12]}"


class Block(models.Model):
    """The place of a closed match's pages: written once they were read back from there, and never changed."""

    stream_id = models.CharField(max_length=80, primary_key=True)
    """The stream's name; its row in the database is gone, and length and head stand here."""
    name = models.CharField(max_length=64)
    """The SHA-256 of the block, under which the archive keeps it."""
    size = models.PositiveIntegerField()
    """In bytes."""
    length = models.PositiveIntegerField()
    head = models.BinaryField()
    root = models.BinaryField()
    """The Merkle root over the heads of its pages."""
    excuses = ArrayField(models.CharField(max_length=10), default=list)
    """For which reasons a choice was made for a seat: what is looked for in the pages of a match that is not here."""
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.stream_id} as {self.name[:12]}"
