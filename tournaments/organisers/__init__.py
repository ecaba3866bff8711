"""Actions of organisers on a league, and the access rights that the actions need."""
