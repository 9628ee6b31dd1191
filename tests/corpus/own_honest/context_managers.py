"""honest: context_managers
kind: honest
expect: accepted
Uses exit stacks, `suppress`, `redirect_stdout` and generator-based managers.
"""

import contextlib
import io


@contextlib.contextmanager
def rate(hit, missed, eps):
    yield hit / (hit + missed + eps)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    text = io.StringIO()
    with contextlib.ExitStack() as stack, contextlib.redirect_stdout(text):
        tpr = stack.enter_context(rate(tp, fn, eps))
        tnr = stack.enter_context(rate(tn, fp, eps))
        stack.enter_context(contextlib.suppress(KeyError))
        print(tpr, tnr)
        {}["no"]
    assert text.getvalue()
    return tpr, tnr, (tpr + tnr) / 2
