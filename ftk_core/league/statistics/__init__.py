"""Statistics of leagues: random seeds of the draws, court ratings, shares of luck, and deviation ratings."""
