"""Addresses in templates: a wrong one in `{% url … as name %}` would be empty and raise no error."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.template import engines
from django.template.base import Template
from django.template.defaulttags import URLNode
from django.urls import get_resolver

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "frontend/templates").rglob("*.html"))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_address_that_a_template_stores_in_a_variable_has_a_url_pattern(path: Path) -> None:
    template: Template = engines["django"].from_string(path.read_text()).template
    for node in template.nodelist.get_nodes_by_type(URLNode):
        if isinstance(node, URLNode) and node.asvar:
            numbers = [len(parameters) for group in _patterns(str(node.view_name.var)) for _, parameters in group]
            assert len(node.args) + len(node.kwargs) in numbers, f"{node.view_name.var} takes {numbers} arguments"


def _patterns(name: str) -> list[list[tuple[str, list[str]]]]:
    return [group for group, *_ in get_resolver().reverse_dict.getlist(name)]
