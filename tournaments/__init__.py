"""Leagues, ladders and challenges: pairing, standings, ratings."""
