"""Process management: the supervisor, the embedded PostgreSQL, and the launcher of child processes."""
