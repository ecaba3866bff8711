"""How an uploaded bot is started: one contained process, and nothing of it left behind."""
