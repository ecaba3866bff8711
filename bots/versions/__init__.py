"""Versions of bots: activation by authors, retirement by staff, choice of opponents, and database queries."""
