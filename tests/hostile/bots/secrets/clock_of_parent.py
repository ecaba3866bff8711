# expects: held
@attempt
def look():
    """Read how much another process has computed: whose turn it is, and a sign that a rival can give."""
    import time

    return time.clock_gettime((~HINTS["parent"] << 3) | 2)
