# expects: held
@attempt
def read():
    """Climb out of the own folder by a relative path."""
    return open("../" * 40 + "etc/passwd").read(20)
