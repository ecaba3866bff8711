"""Forms of an HTML page, as a browser would submit them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit


@dataclass(slots=True)
class PageForm:
    """A form that is sent by POST: its URL, and the values of its fields and buttons by name."""

    address: str
    fields: dict[str, str] = field(default_factory=dict)


class PageFormReader(HTMLParser):
    """Parser that collects the POST forms of a page."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self._open: PageForm | None = None
        self._select = ""
        self.forms: list[PageForm] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a form, or store a field of the open form."""
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and given.get("method", "").lower() == "post":
            action = urlsplit(urljoin(self._address, given.get("action", "")))
            self._open = PageForm(f"{action.path}?{action.query}" if action.query else action.path)
            self.forms.append(self._open)
        if self._open is None:
            return
        if tag == "option" and self._select and ("selected" in given or not self._open.fields[self._select]):
            self._open.fields[self._select] = given.get("value", "")
        if tag not in {"input", "select", "textarea", "button"} or not given.get("name") or given.get("type") == "file":
            return
        self._select = given["name"] if tag == "select" else ""
        if given.get("type") not in {"radio", "checkbox"} or "checked" in given:
            self._open.fields[given["name"]] = given.get("value", "")
        else:
            self._open.fields.setdefault(given["name"], "")

    def handle_endtag(self, tag: str) -> None:
        """End the open form or selection."""
        if tag == "form":
            self._open = None
        elif tag == "select":
            self._select = ""


def read_page_forms(address: str, page: str) -> list[PageForm]:
    """Return the POST forms of a page at this URL."""
    reader = PageFormReader(address)
    reader.feed(page)
    return reader.forms
