"""Presentation of a game for people: pictures of the table, sentences for facts, and texts for menus."""
