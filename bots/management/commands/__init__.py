"""Commands of manage.py for bots, one per module."""
