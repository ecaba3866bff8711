"""Who meets whom and what it is worth: formats, standings, ratings."""
