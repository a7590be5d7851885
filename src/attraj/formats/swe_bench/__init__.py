"""What the harnesses of SWE-bench and SWE-smith left of a run: read beside a trajectory, and written by nobody.

report.py   the files, told by their content, and what one says of one instance
status.py   what a verifier result says of it: pass and fail by the harness's own word alone
beside.py   the files that a run folder holds beside a trajectory
places.py   the map
read.py     verdicts → the Bundle of the trajectory that they are about

A verdict is a verifier's result and no outcome: the world has not answered (spec: traj.md §2, §7.1, decisions 21).
"""
