"""Values of cards, gold and decrees in playouts of For the King."""
