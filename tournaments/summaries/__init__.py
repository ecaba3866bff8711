"""Dataclasses and texts for the pages of leagues and ladders."""
