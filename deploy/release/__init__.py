"""Tools for a release: documentation site, bills of materials, wheels."""
