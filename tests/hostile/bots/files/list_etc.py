# expects: held
@attempt
def look():
    """List the machine's settings."""
    return os.listdir("/etc")[:3]
