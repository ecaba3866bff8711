"""Traditional Chinese formats of dates."""
