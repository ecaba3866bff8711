# expects: held
@attempt
def read():
    """Leave its own folder by a relative path."""
    return open("../" * 40 + "etc/passwd").read(20)
