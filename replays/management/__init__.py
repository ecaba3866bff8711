"""Commands of manage.py for matches."""
