# expects: held
# matches: 2
@attempt
def remember():
    """Leave bytecode that the interpreter would load in place of the source."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "__pycache__" + MARK)
    if os.path.exists(folder):
        return "a changed import"
    os.mkdir(folder)
    return None
