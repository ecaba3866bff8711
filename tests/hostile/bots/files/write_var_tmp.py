# expects: held
@attempt
def write_file():
    """Write into the temporary folder that survives a reboot."""
    return open(f"/var/tmp/{MARK}", "w").write("x")
