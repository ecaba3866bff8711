"""Credentials (API tokens, OAuth device flow) and teams, which decide who may act for a bot."""
