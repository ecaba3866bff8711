"""REST API of webhooks, notices and preferences."""
