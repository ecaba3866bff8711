"""Comparisons of the players of For the King (and Me), for display."""
