"""What is told outside: webhooks, notices on the web and by mail."""
