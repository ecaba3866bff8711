"""What starts processes and holds them: the supervisor, the embedded PostgreSQL, the launcher before every child."""
