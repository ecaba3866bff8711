# expects: held
@attempt
def read():
    """Open the root folder, and a file relative to its descriptor."""
    root = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    return os.read(os.open("etc/hosts", os.O_RDONLY, dir_fd=root), 20)
