"""Template tags for the arena's brand; all templates have them without `{% load %}`."""

from __future__ import annotations

from django import template

from foundation.branding import arena_brand as branding

register = template.Library()


@register.simple_tag
def arena_name() -> str:
    """Return the name of the arena."""
    return branding.read_brand().name


@register.simple_tag
def arena_brand() -> branding.ArenaBrand:
    """Return the brand of the arena, for use as ``{% arena_brand as brand %}``."""
    return branding.read_brand()
