"""Shared building blocks of all apps: pagination, rate limits, languages, commands, task messages and tracing."""
