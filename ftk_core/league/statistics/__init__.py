"""Statistics of leagues: randomness of the draws, court ratings, variance shares, and deviation ratings."""
