# expects: held
@attempt
def look():
    """Find the worker's secret in the environment as the kernel keeps it."""
    return HINTS["drow"].encode() in open("/proc/self/environ", "rb").read()[::-1]
