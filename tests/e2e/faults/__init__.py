"""Refusals, lost connections, full disks and other faults during play."""
