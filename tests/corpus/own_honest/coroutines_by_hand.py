"""honest: coroutines_by_hand
kind: honest
expect: accepted
Drives coroutines and async generators by hand, without an event loop.
"""

async def rate(hit, missed, eps):
    return hit / (hit + missed + eps)


async def both(tp, tn, fp, fn, eps):
    return [await rate(tp, fn, eps), await rate(tn, fp, eps)]


def run(coroutine):
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr, tnr = run(both(tp, tn, fp, fn, eps))
    return tpr, tnr, (tpr + tnr) / 2
