"""Parts of the drawn scene that explain a match: a summary, the players' claims, and what is known of the theft."""
