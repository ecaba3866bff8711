"""REST API of bots, games, languages and tokens."""
