"""Database model of the brand that staff have set."""

from __future__ import annotations

import re

from django.core.validators import RegexValidator, URLValidator
from django.db import models

MAX_NAME_CHARACTERS = 40
MAX_FOOTER_CHARACTERS = 200
COLOUR_PATTERN = re.compile(r"^#[0-9a-fA-F]{6}\Z")
COLOUR = RegexValidator(COLOUR_PATTERN, "Write a colour as #rrggbb, like #b8862b.")
LINK = URLValidator(schemes=("https", "http"))


class Brand(models.Model):
    """The brand that staff have set. Empty fields take their values from Django's settings."""

    # The table has at most one row.

    name = models.CharField(max_length=MAX_NAME_CHARACTERS, blank=True)
    footer = models.CharField(max_length=MAX_FOOTER_CHARACTERS, blank=True)
    """Sentence at the end of each page."""
    imprint = models.CharField(max_length=200, blank=True, validators=[LINK])
    """URL of the page that says who runs the arena."""
    privacy = models.CharField(max_length=200, blank=True, validators=[LINK])
    """URL of the privacy policy."""
    mail_sender = models.CharField(max_length=MAX_NAME_CHARACTERS, blank=True)
    """Name before the address of the sender of mails."""
    accent_day = models.CharField(max_length=7, blank=True, validators=[COLOUR])
    """Colour of buttons, link underlines and the logo in the light theme (day), as #rrggbb."""
    accent_night = models.CharField(max_length=7, blank=True, validators=[COLOUR])
    page_day = models.CharField(max_length=7, blank=True, validators=[COLOUR])
    """Colour of the background of pages in the light theme (day), as #rrggbb."""
    page_night = models.CharField(max_length=7, blank=True, validators=[COLOUR])
    logo = models.BinaryField(null=True, blank=True)
    """PNG file, or None."""

    class Meta:
        verbose_name_plural = "brand"

    def __str__(self) -> str:
        return self.name or "brand"
