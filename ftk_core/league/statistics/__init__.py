"""Statistics of leagues: ratings of bots, the share of luck in the results, and the random seeds of draws."""
