# expects: held
@attempt
def run():
    """Run a shell."""
    import subprocess

    return subprocess.run(["/bin/sh", "-c", "echo hello"], capture_output=True, check=True).stdout
