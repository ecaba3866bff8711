"""Django app that notifies of events: programs by webhooks, and people by notices on the site or by mail."""
