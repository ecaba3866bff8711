# expects: held
@attempt
def look():
    """See who else is running."""
    return [name for name in os.listdir("/proc") if name.isdigit()][:3]
