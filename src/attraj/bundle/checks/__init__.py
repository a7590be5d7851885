"""The checks of a Bundle, one module a family; the first two digits of a code tell which.

    safety.py        AT005-AT008   sizes, deceiving texts, unsafe numbers: what of AT00x needs the tree
    shape.py         AT101 AT102 AT108 AT109 AT110 AT116   members and their types, from the one table
    envelope.py      AT103-AT120 AT124   version, profiles, extensions, source, scope
    bindings.py      AT121-AT123   what the run is tied to; reference_form.py AT125
    identity.py      AT2xx   ids, references; content_ids.py AT209 AT210 ids made from content
    causality.py     AT3xx   the graph, parents; order.py AT309 AT313 order against causality
    state.py         AT4xx   states and views; transitions.py AT406 the parts of a decision's transition
    effects.py       AT5xx   admission, effects, receipts; actors.py AT501-503 AT514-518 who acted, by which authority
    evidence.py      AT60x   outcomes; verifiers.py AT61x verifier results; rewards.py AT316 AT62x rewards
    disclosure.py    AT70x   declarations against content; withheld.py the marks themselves; leaks.py AT707 AT708
    rights.py        AT80x   the six uses
    training.py      AT82x   targets and masks; datasets.py AT83x episodes and datasets
    completeness.py  AT90x   evaluation.py AT91x   transform.py AT92x   integrity.py AT93x
    pairs/           the checks of two bundles

The page of each rule (what, why, bad, good, way out) stands in pages/AT3xx.md beside them.
"""
