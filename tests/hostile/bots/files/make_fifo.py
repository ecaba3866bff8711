# expects: held
@attempt
def make():
    """Make a FIFO, that somebody could be made to hang on."""
    os.mkfifo(os.path.join(os.path.dirname(os.path.abspath(__file__)), MARK))
    return "made a FIFO"
