"""For the King (and Me): influence is shared out card by card, then bought at auction. Rules in RULES.md."""
