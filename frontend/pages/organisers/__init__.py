"""Pages for organisers: new leagues, running a league, and invitations."""
