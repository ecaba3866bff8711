"""Estimation of each player's role by the King, in simulated matches."""
