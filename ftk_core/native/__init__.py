"""Native rules of the games: the same states, menus and facts as the Python modules, a hundred times faster."""
