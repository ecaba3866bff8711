"""One module is one command."""
