"""Players outside the server: remote bots and people, who answer through the database."""
