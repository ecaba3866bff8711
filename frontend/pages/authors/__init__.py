"""Pages for authors of bots: account, uploads, league entries, challenges, and matches played by hand."""
