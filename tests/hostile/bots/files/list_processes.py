# expects: held
@attempt
def look():
    """List the other processes."""
    return [name for name in os.listdir("/proc") if name.isdigit()][:3]
