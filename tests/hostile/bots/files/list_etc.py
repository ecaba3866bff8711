# expects: held
@attempt
def look():
    """List the settings of the machine."""
    return os.listdir("/etc")[:3]
