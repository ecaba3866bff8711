"""Charts, pictures, clips, calendar files and rule books; no module of this package depends on a request."""
