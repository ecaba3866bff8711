"""Analysis of finished matches: audits, reviews, and comparisons of alternative choices."""
