"""Reports on played matches: decisions, key moments, times, seat statistics, audits."""
