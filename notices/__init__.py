"""Django app for notifications: webhooks, and notices on the web and by mail."""
