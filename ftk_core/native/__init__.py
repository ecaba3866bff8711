"""C++ rules of the games, a hundred times faster than the Python rules."""
# Both produce the same states, menus and events.
