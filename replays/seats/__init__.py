"""Outside seats, played by programs over a socket and by people; their questions wait in mailboxes."""
