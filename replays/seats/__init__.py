"""Seats that are played from outside, by programs over a socket and by people: their questions wait in mailboxes."""
