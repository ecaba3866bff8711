"""Comparisons of the players of For the King (and Me) for display: points so far, and card values in each office."""
