"""The sequential games of OpenSpiel as games of an ftk arena. Bots may import this package in the sandbox."""
