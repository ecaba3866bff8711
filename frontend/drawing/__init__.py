"""Charts, pictures, clips, calendar files and rule books. No module of this package needs an HTTP request."""
