"""Examples of training with torch: policies learn to beat players that choose at random (docs/learning.md)."""
