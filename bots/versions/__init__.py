"""Versions of bots: activation by authors, retirement by staff, opponents, and queries."""
