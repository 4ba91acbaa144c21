"""Data to work on: DBpedia-shaped publications and the paper's queries, of any size and seed. Not part of the wheel."""
