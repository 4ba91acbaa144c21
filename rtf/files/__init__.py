"""Files that people hand to the commands: queries in, what they will be indexed by and warnings out; publications."""
