"""Process management: the supervisor, the embedded PostgreSQL, and the launcher of every child."""
