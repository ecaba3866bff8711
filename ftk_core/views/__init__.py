"""Presentation of games for people: pictures of the table, and texts for events and choices."""
