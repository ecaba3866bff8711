"""Parts of the drawn table that explain a match: a summary, the players' claims, and what is known of the thefts."""
