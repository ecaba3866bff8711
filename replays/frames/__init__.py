"""How a log becomes pictures: the frames of each pair of eyes, made once and kept at hand."""
