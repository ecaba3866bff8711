"""Generators of charts, pictures, animations, feeds, calendar files and HTML. They need no HTTP request."""
