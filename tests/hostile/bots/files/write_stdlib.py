# expects: held
# control: needs root
@attempt
def write_file():
    """Open a file of the shared standard library for writing, without writing to it."""
    return open(os.__file__, "r+b").writable()
