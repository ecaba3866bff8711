# expects: held
@attempt
def look():
    """Read the processor time of another process, which shows its turn and can carry a rival's signal."""
    import time

    return time.clock_gettime((~HINTS["parent"] << 3) | 2)
