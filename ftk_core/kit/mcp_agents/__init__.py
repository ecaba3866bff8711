"""Tools of `ftk mcp`, with which agent programs, such as language models, play matches."""
