"""Django app that reports events: to programs by webhooks, and to people by notices on the site or by mail."""
