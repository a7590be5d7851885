"""The checks of a Bundle, one module a family; the first two digits of a code tell which.

    shape.py         AT101 AT102 AT105 AT108 AT109 AT110 AT116   members and their types, from the one table
    envelope.py      AT103-AT125   versions, profiles, source, scope, bindings, extensions
    identity.py      AT2xx   ids, references
    causality.py     AT3xx   the graph, parents; order.py AT309 AT313 order against causality
    state.py         AT4xx   states and views; transitions.py AT406 the parts of a decision's transition
    effects.py       AT5xx   admission, effects, receipts; actors.py AT501-503 AT514-518 who acted, by which authority
    evidence.py      AT6xx   outcomes, verifier results, rewards
    disclosure.py    AT7xx   markers, declarations against content, secrets
    rights.py        AT80x   the six uses
    training.py      AT82x   targets and masks; datasets.py AT83x episodes and datasets
    completeness.py  AT90x   evaluation.py AT91x   transform.py AT92x   integrity.py AT93x
    pairs/           the checks of two bundles

The page of each rule (what, why, bad, good, way out) stands in pages/AT3xx.md beside them.
"""
