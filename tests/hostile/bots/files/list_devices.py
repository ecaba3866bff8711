# expects: held
@attempt
def look():
    """See which devices there are."""
    return sorted(os.listdir("/dev"))[:3]
