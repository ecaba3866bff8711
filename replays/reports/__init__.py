"""Reports on matches: decisions, key moments, times, statistics, health and audits."""
