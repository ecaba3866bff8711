"""Analysis of finished matches: audits, estimated values of positions, reviews, and alternatives to choices."""
