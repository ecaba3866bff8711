"""Views of the web pages."""
