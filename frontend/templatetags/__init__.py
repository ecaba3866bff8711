"""What the templates may say."""
