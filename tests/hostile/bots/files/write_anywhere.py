# expects: held
@attempt
def write_file():
    """Try to write into every folder that can be listed."""
    got = []
    for top in ("/dev", "/run", "/opt", "/usr", "/proc/self", os.path.dirname(os.path.abspath(__file__))):
        for folder in [top, *(entry.path for entry in os.scandir(top) if entry.is_dir())] if os.path.isdir(top) else []:
            try:
                open(os.path.join(folder, MARK), "w").close()
                os.unlink(os.path.join(folder, MARK))
                got.append(folder)
            except OSError:
                continue
    return got
