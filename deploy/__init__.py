"""Where everything is put together and run: settings, addresses, the embedded PostgreSQL, the supervisor."""
