"""Template tags for what plug-ins add to the viewer: drawings of pieces, and languages."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from ftk_core.kit.plugin_piece_drawings import list_piece_modules
from ftk_core.kit.viewer_translations import list_viewer_languages, render_viewer_language

register = template.Library()


@register.simple_tag
def list_plugin_pieces() -> dict[str, str]:
    """Return the games whose pieces a plug-in draws, each with a hash of its files."""
    return list_piece_modules()


@register.simple_tag
def viewer_language_elements() -> SafeString:
    """Return an HTML element for each plug-in language, with the URL of the viewer's texts in that language."""
    elements = (
        render_viewer_language(added, reverse("viewer-words", args=[tag, added.digest]))
        for tag, added in list_viewer_languages().items()
    )
    return mark_safe("".join(elements))  # noqa: S308 - the values are escaped
