# expects: held
@attempt
def look():
    """Open a pseudo terminal, whose buffers are in kernel memory."""
    return os.openpty()
