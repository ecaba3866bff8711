# expects: held
@attempt
def talk():
    """Read the machine's load, which a rival can change by computing."""
    return open("/proc/loadavg").read()
