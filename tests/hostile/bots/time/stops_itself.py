# expects: timeout|crash
import signal

for _ask in asks():
    os.kill(os.getpid(), signal.SIGSTOP)
    while True:
        signal.sigwait([signal.SIGUSR1])
