"""Leagues and ladders: pairing, standings, ratings."""
