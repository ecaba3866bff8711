"""Statistics of leagues: ratings, the share of luck in results, and random seeds."""
