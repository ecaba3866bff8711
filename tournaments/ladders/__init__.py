"""Ladders: ratings of a game's bots from all its matches, one ladder of all time and one for each season."""
