"""Parts of the scene that explain a match: a summary in sentences, claims, and knowledge of the theft."""
