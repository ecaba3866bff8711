"""The brand of this site: the name, logo, colours and links that its pages, mails, feeds and pictures show."""

USUAL_NAME = "The Court"
"""Default name of an arena."""
