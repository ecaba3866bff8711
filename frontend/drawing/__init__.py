"""Rendering independent of requests: charts, posters, calendars, rule books."""
