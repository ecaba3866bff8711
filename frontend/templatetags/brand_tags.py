"""Template tags for the site's name, logo, colours and texts."""
# Built in: no template needs `{% load %}` for them.

from __future__ import annotations

from django import template

from foundation.branding import arena_brand as branding

register = template.Library()


@register.simple_tag
def arena_name() -> str:
    """Return the name of the site."""
    return branding.read_brand().name


@register.simple_tag
def arena_brand() -> branding.EffectiveBrand:
    """Return the site's name, logo, colours and texts."""
    return branding.read_brand()
