"""REST API of matches, of seats played by hand, and of reviews (analyses of matches)."""
