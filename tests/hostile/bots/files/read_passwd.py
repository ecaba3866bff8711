# expects: held
@attempt
def read():
    """Read a file that every machine has."""
    return open("/etc/passwd").read(40)
