"""Estimates for the King in playouts (simulated matches): each seat's probability of being a Thief or a Usurper."""
