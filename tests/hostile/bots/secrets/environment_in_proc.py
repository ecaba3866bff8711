# expects: held
@attempt
def look():
    """Find the worker's secret in the kernel's copy of the environment."""
    return HINTS["drow"].encode() in open("/proc/self/environ", "rb").read()[::-1]
