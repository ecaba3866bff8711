# expects: held
@attempt
def look():
    """Open a device."""
    return os.open("/dev/null", os.O_RDWR)
