"""The arguments of a problem's cases: evaluated from expressions, or drawn from a generator."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import numpy as np
import torch

from grader.author_code import AuthorFault, fault_sentence, run_author_code
from grader.rng import seed_everything

_GENERATOR = "generated_cases.code"


def generator_of(slug: str, seed: int, index: int) -> np.random.Generator:
    """The random numbers of one drawn case, the same on every machine.

    Args:
        slug: the problem's.
        seed: of its `generated_cases`.
        index: 0-based among the drawn cases.
    """
    digest = sha256(f"{slug}:{seed}:{index}".encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))


class CaseInputs:
    """Makes the arguments of each case, fresh at every call.

    Args:
        order: the problem's code and cases, as the judge sends them.

    Raises:
        AuthorFault: the problem's code fails.
    """

    def __init__(self, order: dict[str, Any]) -> None:
        self._order = order
        self.names: dict[str, Any] = {"torch": torch, "np": np, "math": math}
        if order["setup_code"]:
            run_author_code(order["setup_code"], "setup_code", self.names)
        self._generate: Callable[..., Any] | None = None
        self.takes_size = False
        if order["generated"] is not None:
            names = dict(self.names)
            run_author_code(order["generated"]["code"], _GENERATOR, names)
            self._generate = names["generate"]
            self.takes_size = "size" in inspect.signature(names["generate"]).parameters

    def of(self, number: int, size: int | None = None) -> dict[str, Any]:
        """Arguments by name of a case.

        Args:
            number: 0-based position of the case.
            size: how large a drawn case shall be; None for what the generator chooses.
        """
        case = self._order["cases"][number]
        seed_everything(case["seed"])
        if case["drawn"] is not None:
            return self._draw(case, size)
        values = {}
        for name, expression in case["raw_inputs"].items():
            try:
                values[name] = eval(expression, dict(self.names))
            except Exception as error:
                raise AuthorFault(
                    f"case {case['name']!r}: raw_inputs.{name} raises "
                    f"{type(error).__name__}: {error}",
                    f"$.test_cases[{number}].raw_inputs.{name}",
                ) from None
        return values

    def _draw(self, case: dict[str, Any], size: int | None) -> dict[str, Any]:
        assert self._generate is not None
        index, seed = case["drawn"], self._order["generated"]["seed"]
        sized = {} if size is None else {"size": size}
        path = f"$.{_GENERATOR}"
        try:
            values = self._generate(generator_of(self._order["slug"], seed, index), index, **sized)
        except Exception as error:
            sentence = fault_sentence(error, f"<{_GENERATOR}>")
            raise AuthorFault(f"generate(rng, {index}) raises {sentence}", path) from None
        if type(values) is not dict or not all(type(name) is str for name in values):
            raise AuthorFault(f"generate(rng, {index}) must return a dict of arguments", path)
        return values
