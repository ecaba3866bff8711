"""Tools of `ftk mcp`, with which AI agents play matches."""
