# expects: held
@attempt
def look():
    """See the network interfaces in /sys."""
    return os.listdir("/sys/class/net")
