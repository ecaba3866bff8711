"""The King's suspicions in playouts (simulated matches): probabilities of the seats' roles, given their claims."""
