"""Reviews of matches: asked for, waited for, reckoned beside the matches, and read."""
