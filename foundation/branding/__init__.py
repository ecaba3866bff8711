"""Branding of the site: name, logo, colours and links."""

USUAL_NAME = "The Court"
"""Default name of an arena."""
