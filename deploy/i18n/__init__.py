"""Gettext catalogues of the site, of the games, and of the command-line program `ftk`."""
