"""Django app for notifications: webhooks, and notices on the site and by mail."""
