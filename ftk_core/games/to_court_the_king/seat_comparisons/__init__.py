"""Comparisons of the players of To Court the King for display: dice in a turn, characters in reach, final round."""
