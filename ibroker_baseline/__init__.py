"""IBROKER, the engine that RTF is compared with, behind the same contract and with the same analyser and tuples."""

from ibroker_baseline.broker import IBroker

__all__ = ["IBroker"]
