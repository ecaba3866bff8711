# expects: held
@attempt
def read():
    """Make a symbolic link to a file outside its folder, and read through it."""
    link = os.path.join(os.path.dirname(os.path.abspath(__file__)), MARK)
    os.symlink("/etc/passwd", link)
    return open(link).read(20)
