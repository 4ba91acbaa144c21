"""IBROKER, the engine that RTF is compared with, behind the same contract and with the same analyser and tuples."""

__all__: list[str] = []
