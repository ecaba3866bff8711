"""Native (C++) rules of the games: same states, menus and facts (events) as in Python, a hundred times faster."""
