"""Comparison of the seats in To Court the King: dice in a turn, goals of the present roll, and the final round."""
