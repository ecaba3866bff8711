"""Process management for `manage.py up`: the supervisor, the embedded PostgreSQL, and the start of child processes."""
