"""Ladders: rating lists of a game's bots, for all time and for each season."""
