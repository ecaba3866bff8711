"""Comparisons of the players of To Court the King for display: dice in a turn, goals of the roll, final round."""
