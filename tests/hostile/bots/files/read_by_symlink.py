# expects: held
@attempt
def read():
    """Make a link beside the bot that leads out, and read through it."""
    link = os.path.join(os.path.dirname(os.path.abspath(__file__)), MARK)
    os.symlink("/etc/passwd", link)
    return open(link).read(20)
