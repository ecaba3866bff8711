"""Management commands of the app `tournaments`, one module for each command."""
