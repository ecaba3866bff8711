"""Versions of bots: activation by authors, retirement by staff, opponents for people, and queries."""
