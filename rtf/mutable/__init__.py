"""The segment that can change: `forest` (RTFM and RTFS on pygtrie), `segment` and `matching`, in plain Python."""
