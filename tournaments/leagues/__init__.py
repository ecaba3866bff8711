"""Leagues: terms (settings), entries, rounds, recording of results, and the projection into database tables."""
