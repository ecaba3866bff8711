"""Views of the web pages. Each view reads its URL and form, calls queries or services, and renders a template."""
