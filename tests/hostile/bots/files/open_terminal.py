# expects: held
@attempt
def look():
    """Open a pseudo terminal, whose buffers are the kernel's."""
    return os.openpty()
