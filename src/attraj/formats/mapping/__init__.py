"""Between a foreign format and the Bundle: what every room that converts shares.

loss.py       what a mapping could not carry: a Loss, and gathering equal ones
fields.py     one table of a room's fields, read in one direction to fill the Bundle, in the other to write it back
draft.py      a Bundle while a reader makes it: nodes, edges with their basis, views, losses
messages.py   lists of messages as states: what two views share is stored once
residue.py    what the core does not map, kept beside it by pointer
restore.py    a Bundle → the document that it was read from, put together by containers.py
withheld.py   markers of a Bundle in a document that knows none
turns.py      a Bundle → turns in order, for writers of another format
held.py       values that know where they come from, so that a writer's losses are counted and not declared
attachments.py  what a content part names or carries besides text
assets.py     bytes in a Bundle → files beside what is written
account.py    what of a Bundle a writer took, and the losses that are the rest
again.py      what a Bundle says beyond the document that is given back of it
edits.py      what somebody has written into a Bundle since it was read, and a writer of another format has not
verify.py     each value of a source again: at its place in the target, or in a loss; by said.py, and by covers.py
verify_meaning.py  who said it, and which call a result is of, by reading what was written
reference_form.py  the closed form of the reference implementation, with reference_fillers.py and reference_records.py
"""
