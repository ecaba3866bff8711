"""Django app for matches: their event logs, the runner that plays them, replays, live spectators, and reviews."""
