"""Catalogues of translated messages for the site and for `ftk`."""
