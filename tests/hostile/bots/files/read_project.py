# expects: held
@attempt
def read():
    """Read the platform's own source."""
    return open(os.path.join(HINTS["project"], "pyproject.toml")).read(20)
