"""What a mutable and a frozen segment share: tuples as they are stored, joins, and the verification of candidates."""
