# expects: crash
# detail: without a word
# It ends before anything was asked.
sys.exit(0)
