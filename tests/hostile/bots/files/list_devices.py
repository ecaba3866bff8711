# expects: held
@attempt
def look():
    """List the devices."""
    return sorted(os.listdir("/dev"))[:3]
