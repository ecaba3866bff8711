"""Views of the pages: each parses a URL, runs queries and renders the result."""
