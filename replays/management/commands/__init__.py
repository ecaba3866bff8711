"""Commands of manage.py for matches, one per module."""
