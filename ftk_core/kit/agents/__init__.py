"""Agent programs, such as language models, as players: the tools of `ftk mcp`."""
