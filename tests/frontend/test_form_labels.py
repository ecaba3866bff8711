"""Labels of form fields: each is written out and translated, because Django derives others from names, in English."""

from __future__ import annotations

import ast
from pathlib import Path

FORMS = sorted(Path("frontend/pages").rglob("*.py"))


def list_unlabelled_fields(source: str) -> list[str]:
    """Return the visible form fields of all classes in a module that have no label of their own."""
    classes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]
    return [
        f"{each.name}: {ast.unparse(statement)}"
        for each in classes
        for statement in each.body
        if isinstance(statement, ast.Assign)
        and isinstance(call := statement.value, ast.Call)
        and ast.unparse(call.func).startswith("forms.")
        and "label" not in {keyword.arg for keyword in call.keywords}
        and "HiddenInput" not in ast.unparse(call)
    ]


def test_every_visible_form_field_declares_an_explicit_label() -> None:
    unlabelled = {str(file): list_unlabelled_fields(file.read_text()) for file in FORMS}
    assert {file: fields for file, fields in unlabelled.items() if fields} == {}


def test_the_form_label_check_detects_a_field_without_a_label() -> None:
    fields = ("a = forms.CharField()", 'b = forms.CharField(label=_("B"))', "c = forms.CharField(widget=HiddenInput)")
    assert list_unlabelled_fields("\n    ".join(("class A:", *fields))) == ["A: a = forms.CharField()"]
