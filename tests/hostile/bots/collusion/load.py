# expects: held
@attempt
def talk():
    """Read how busy the machine is, which a rival can change by computing."""
    return open("/proc/loadavg").read()
