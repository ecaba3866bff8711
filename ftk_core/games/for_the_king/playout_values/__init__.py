"""Values of cards, gold and decrees in playouts (simulated matches) of For the King."""
