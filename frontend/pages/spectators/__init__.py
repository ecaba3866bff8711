"""Public pages for spectators: matches, bots, leagues, leaderboards, and the theatre (one match after another)."""
