"""Comparisons of the players of To Court the King, for display."""
