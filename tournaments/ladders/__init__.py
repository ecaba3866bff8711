"""Ladders: ratings of a game's bots from all its matches. Each game has an all-time ladder and a ladder per season."""
