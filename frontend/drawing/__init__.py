"""Generators of charts, pictures, animations, feeds, calendar files and HTML, independent of HTTP requests."""
