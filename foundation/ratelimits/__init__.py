"""Django app of rate limits: their state in the database, and the headers that report them."""
