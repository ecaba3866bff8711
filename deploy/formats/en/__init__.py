"""English formats of dates."""
