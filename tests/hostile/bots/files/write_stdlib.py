# expects: held
# control: needs root
@attempt
def write_file():
    """Open a file of the shared standard library for writing; nothing is written."""
    return open(os.__file__, "r+b").writable()
