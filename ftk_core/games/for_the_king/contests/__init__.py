"""Comparison of the seats in For the King (and Me): points so far, and strengths in each office."""
