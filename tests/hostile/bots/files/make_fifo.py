# expects: held
@attempt
def make():
    """Make a FIFO, which could block a process that opens it."""
    os.mkfifo(os.path.join(os.path.dirname(os.path.abspath(__file__)), MARK))
    return "made a FIFO"
