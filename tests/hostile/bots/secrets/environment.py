# expects: held
@attempt
def look():
    """Find the worker's secret in the environment."""
    return [name for name, value in os.environ.items() if value[::-1] == HINTS["drow"]]
