"""Presentation of a game for people: pictures, sentences and menus."""
