"""Pages for authors of bots: account, uploading bots, entering leagues, challenges, and playing in the browser."""
