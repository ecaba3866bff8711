"""The bot protocol: pipes to a bot's process, lines, answers, and measurement of the bot's time."""
