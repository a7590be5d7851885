"""Two documents of any formats, compared by what they say. `attraj.verbs.diff` is the way in.

sides.py      one document read into the Bundle, and where each of its values stands in the source
said.py       what one place says, and when two places say the same
steps.py      a Bundle → its steps, each with everything that it says
facts.py      what a Bundle says outside of its steps
align.py      which step of one is which of the other
joined.py     a member that one document says in the core, and the other beside it
changes.py    two steps, or two documents, side by side → what differs
"""
