"""Django app for webhooks and for notices to people on the site or by mail."""
