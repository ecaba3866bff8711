"""Pages for authors of bots: account, uploads, league entries, challenges, and matches to play in the browser."""
