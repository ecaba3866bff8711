"""Probabilities of each player's role, for the King in simulated matches."""
