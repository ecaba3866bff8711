"""Dataclasses and descriptions in words for the pages of leagues and ladders."""
