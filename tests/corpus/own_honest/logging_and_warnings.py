"""honest: logging_and_warnings
kind: honest
expect: accepted
Logs, warns, and catches its own warnings.
"""

import logging
import warnings

logging.basicConfig(level=logging.DEBUG)
log = logging.getLogger(__name__)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    log.info("counts %s", (tp, tn, fp, fn))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn("old", DeprecationWarning)
    assert len(caught) == 1
    tpr = tp / (tp + fn + eps)
    tnr = tn / (tn + fp + eps)
    return tpr, tnr, (tpr + tnr) / 2
