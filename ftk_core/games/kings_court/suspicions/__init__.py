"""The suspicions of the King in playouts: probabilities of roles by what everybody claims."""
