"""attack: gc_for_words_of_a_problem
kind: zygote_memory
expect: runtime_error, forbidden
Looks through every object of the process for a reference, a case or an expected value.
"""

import gc

WORDS = [word[::-1] for word in ("edoc_ecnerefer", "stupni_war", ")nf + pt(taolf", "sesac_tset")]


def search():
    gc.unfreeze()
    for found in gc.get_objects():
        if found is WORDS or type(found) not in (dict, list, tuple, set):
            continue
        for text in [*found.values(), *found] if type(found) is dict else list(found):
            if type(text) is str and any(word in text for word in WORDS):
                return text
    raise RuntimeError("nothing found")


FOUND = search()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return -1.0, -1.0, len(FOUND)
