"""A file that is no Python."""

def broken(:  # finds EG911
