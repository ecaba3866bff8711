"""Analysis of finished matches: audits, estimates, reviews and alternatives."""
