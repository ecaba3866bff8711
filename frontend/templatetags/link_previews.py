"""Template tag for the metadata that other sites show for a link to a page (Open Graph)."""

from __future__ import annotations

from html import unescape
from typing import Any

from django import template
from django.template.context import Context
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.utils.translation import override

from foundation.branding.arena_brand import read_brand
from frontend.drawing.signed_preview_urls import make_preview_address
from ftk_core.i18n import BUILT_IN_LANGUAGES, ENGLISH

register = template.Library()


@register.inclusion_tag("frontend/parts/page_og.html", takes_context=True)
def link_preview(context: Context) -> dict[str, Any]:
    """Return a page's title and description, and the URL of a picture that shows both."""
    # The texts come from the page's template blocks. The picture shows them in English, because its fonts have no
    # Chinese letters.
    with override(BUILT_IN_LANGUAGES[ENGLISH].code):
        address = make_preview_address(_render_block(context, "title"), _render_block(context, "description"))
    texts = {name: _render_block(context, name) for name in ("title", "description")}
    return texts | {"address": address, "request": context["request"]}


def _render_block(context: Context, name: str) -> str:
    """Return the text of a template block, without the site's name at its end."""
    block = context.render_context[BLOCK_CONTEXT_KEY].get_block(name)
    return unescape(" ".join(block.render(context).split())).removesuffix(f" · {read_brand().name}")
