"""Training examples with torch, which learn to beat players that choose at random (docs/learning.md)."""
