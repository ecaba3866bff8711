"""The archive: the pages of a closed match as one block, and where blocks are kept."""
