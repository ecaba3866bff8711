"""Pages about the site itself: status, metrics, errors, documentation and security contact."""
