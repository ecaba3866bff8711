# expects: held
@attempt
def look():
    """List the network interfaces in /sys."""
    return os.listdir("/sys/class/net")
