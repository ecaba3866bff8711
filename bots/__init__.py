"""Django app for bots: their uploads, versions and sandbox."""
