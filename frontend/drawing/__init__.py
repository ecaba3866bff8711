"""Charts, pictures, clips, calendar files and rule books; nothing here depends on a request."""
