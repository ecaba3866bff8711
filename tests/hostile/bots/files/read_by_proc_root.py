# expects: held
@attempt
def read():
    """Go round by way of /proc."""
    return open("/proc/self/root/etc/passwd").read(20)
