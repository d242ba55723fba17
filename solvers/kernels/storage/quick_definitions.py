"""Makes the steps of numba's compiler faster that give each variable one definition, with the same result.

For every variable that has several definitions numba looks at every statement of a function, and for every variable
that a block passes on to another one at every statement of the block. In the power series of a large arm there are tens
of thousands of each. Here only the statements are looked at in which the variable occurs. These functions replace
private ones of one version of numba.
"""

from __future__ import annotations

from collections import defaultdict
from copy import copy
from typing import Any

from numba.core import ir, ssa, typed_passes


def use() -> None:
    """From now on numba compiles in this way."""
    _Definitions()
    step: Any = typed_passes.PreLowerStripPhis
    strip = step._strip_phi_nodes
    step._strip_phi_nodes = lambda self, function: stripped(strip, self, function)


class _Definitions:
    """The step of the compiler that gives each variable one definition, one variable after the other."""

    def __init__(self) -> None:
        module: Any = ssa
        self._all, self._pass = module._run_ssa, module._run_ssa_block_pass
        module._run_ssa, module._run_block_rewrite = self._every, self._rewrite
        module._FixSSAVars._stmt_index = self._place
        self._uses: dict[str, dict[int, list[int]]] = {}
        """The places of the statements in which each variable occurs, by the labels of the blocks."""
        self._sizes: dict[int, int] = {}
        self._order: dict[int, int] = {}

    def _every(self, blocks: dict[int, Any]) -> dict[int, Any]:
        self._uses = defaultdict(lambda: defaultdict(list))
        self._sizes = {label: len(block.body) for label, block in blocks.items()}
        for label, block in blocks.items():
            for i, one in enumerate(block.body):
                for name in {variable.name for variable in one.list_vars()}:
                    self._uses[name][label].append(i)
        found = self._all({label: block.copy() for label, block in blocks.items()})
        self._uses.clear()
        return found

    def _rewrite(self, blocks: dict[int, Any], states: dict[str, Any], handler: Any) -> dict[int, Any]:
        """Change the statements in which a variable occurs, in the copies of the blocks that `_every` has made.

        The names that this adds are versions of the same variable, which nobody looks for.
        """
        for label, places in self._uses[states["varname"]].items():
            block = blocks[label]
            added = len(block.body) - self._sizes[label]  # before all others
            some = ir.Block(block.scope, block.loc)
            some.body = [block.body[added + i] for i in places]
            self._order = {id(one): k for k, one in enumerate(some.body)}
            states["label"], states["block"] = label, some
            for i, new in zip(places, self._pass(states, some, handler), strict=True):
                block.body[added + i] = new
        return blocks

    def _place(self, statement: Any, block: Any, stop: int = -1) -> int:
        """Where a statement is among those of the block; their number if it is not there, or not before `stop`."""
        place = self._order.get(id(statement), len(block.body))
        return place if stop < 0 or place < stop else len(block.body)


def stripped(strip: Any, step: Any, function: Any) -> Any:
    """The function without phi nodes: each block passes on the values that those of other blocks choose from.

    Args:
        strip: numba's own, for a function that is not as expected.
        step: the step of the compiler.
        function: what is compiled.
    """
    passed, phis = defaultdict[int, list[Any]](list), set[int]()
    for block in function.blocks.values():
        for one in block.find_insts(ir.Assign):
            if isinstance(one.value, ir.Expr) and one.value.op == "phi":
                phis.add(id(one))
                for label, value in zip(one.value.incoming_blocks, one.value.incoming_values, strict=False):
                    passed[label].append(_assign(one.target, value, function.loc))
    blocks: dict[int, Any] = {}
    for label, block in function.blocks.items():
        body = _passing_on([one for one in block.body if id(one) not in phis], passed[label])
        if body is None:
            return strip(step, function)
        blocks[label] = copy(block)
        blocks[label].body = body
    function.blocks = blocks
    return function


def _assign(target: Any, value: Any, start: Any) -> Any:
    """The statement that passes a value on; one that has no definition is null from the start of the function on."""
    value = ir.Expr.null(loc=start) if value is ir.UNDEFINED else value
    return ir.Assign(target=target, value=value, loc=value.loc)


def _passing_on(body: list[Any], passed: list[Any]) -> list[Any] | None:
    """A block's statements with each that passes a value on right after the definition of the value, or else first.

    None if a variable has two definitions in the block, which is left to numba.
    """
    definitions = [one for one in body if isinstance(one, ir.Assign)]
    if len({one.target.name for one in [*definitions, *passed]}) < len(definitions) + len(passed):
        return None
    defined = {one.target.name: one for one in definitions}
    first, after = list[Any](), defaultdict[int, list[Any]](list)
    for one in passed:
        before = defined.get(one.value.name) if isinstance(one.value, ir.Var) else None
        (first if before is None else after[id(before)]).append(one)
        defined[one.target.name] = one
    # What comes right after the same statement, or first, is in the order opposite to that in which it is passed on.
    waiting, found = [*reversed(body), *first], list[Any]()
    while waiting:
        found.append(waiting.pop())
        waiting += after.get(id(found[-1]), ())
    return found
