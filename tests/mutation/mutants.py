"""The small faults that a module could have.

One `Mutant` is one change of its syntax tree: a comparison off by one, `and` for `or`, a number too large, a condition
turned round, a step left out, a line of a table left out, a rule ID exchanged. Texts, types and assertions stay.
"""

import ast
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
SWAPPED_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
TABLES_OF_NAMES = frozenset({"EVOLUTIONS", "STEPS", "PLANS", "DECISIONS", "CHAPTERS", "PHASES"})
"""Tables that only say which function belongs to which name; without a line nothing runs at all."""
TABLES_OF_RULES = frozenset({"RULES"})
"""Tables that only say which rule is behind an event; a line less is a fault of no rule in particular."""
NOT_CHANGED = frozenset({"annotation", "returns", "decorator_list", "type_params", "bases", "keywords"})
"""Parts of the syntax that are left alone; the keywords of a call are not meant."""
RULE_ID = re.compile(r"[A-Z]{3}(-[A-Z]+)+-\d\d[a-z]?")
RULE_LABEL = "label"
"""Kind of the mutants that change the rule ID that an event or a factor names, and nothing else."""


Path = tuple[tuple[str, int | None], ...]
"""The way from the root to a node: (field, index in it)."""


class Owner(NamedTuple):
    """What a fault stands in: a function or method, a class, a table, or "" for the module."""

    name: str
    is_function: bool


class Mutant(NamedTuple):
    """A fault: in which function, class or table, what, and the n-th of its like there."""

    module: str
    owner: str
    in_function: bool
    what: str
    nth: int
    kind: str
    source: str
    change: Callable[[ast.Module], None]

    @property
    def key(self) -> str:
        """What names it, also when lines have moved: `evade.evade_reach: 2 -> 3`."""
        ordinal = f" ({self.nth})" if self.nth > 1 else ""
        return f"{self.module.rpartition('.')[2]}.{self.owner}: {self.what}{ordinal}"

    def tree(self) -> ast.Module:
        """The syntax tree of the whole module with the fault in it."""
        tree = ast.parse(self.source)
        self.change(tree)
        return ast.fix_missing_locations(tree)


def mutants(module: str, source: str) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of its text."""
    seen: dict[tuple[str, str], int] = {}
    for path, node, owner in _walk(ast.parse(source), (), Owner("", False)):
        for what, kind, new in _faults(node, owner.name):
            if owner.name in TABLES_OF_RULES and kind != RULE_LABEL:
                continue
            seen[owner.name, what] = nth = seen.get((owner.name, what), 0) + 1
            yield Mutant(module, owner.name, owner.is_function, what, nth, kind, source, _replacer(path, new))


def _walk(node: ast.AST, path: Path, owner: Owner) -> Iterator[tuple[Path, ast.AST, Owner]]:
    """Every node that may be changed, with its path and what it stands in."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.Assert):
        return
    owner = _owner(node, owner)
    yield path, node, owner
    for name, value in ast.iter_fields(node):
        if name in NOT_CHANGED and not isinstance(node, ast.Call):
            continue
        if isinstance(value, ast.AST):
            yield from _walk(value, (*path, (name, None)), owner)
        elif isinstance(value, list):
            for at, item in enumerate(value):
                if isinstance(item, ast.AST) and not (at == 0 and name == "body" and _is_text(item)):
                    yield from _walk(item, (*path, (name, at)), owner)


def _owner(node: ast.AST, owner: Owner) -> Owner:
    """A function within a function belongs to the outer one; its defaults are reckoned where it is defined."""
    if isinstance(node, ast.arguments):
        return Owner(owner.name, False)
    if owner.is_function:
        return owner
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return Owner(f"{owner.name}.{node.name}".lstrip("."), not isinstance(node, ast.ClassDef))
    if owner.name:
        return owner
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return Owner(next((target.id for target in targets if isinstance(target, ast.Name)), ""), False)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _replacer(path: Path, new: ast.AST) -> Callable[[ast.Module], None]:
    """Put `new` at the end of a path."""

    def change(tree: ast.Module) -> None:
        node: ast.AST = tree
        for name, at in path[:-1]:
            child = getattr(node, name)
            node = child if at is None else child[at]
        name, at = path[-1]
        if at is None:
            setattr(node, name, new)
        else:
            getattr(node, name)[at] = new

    return change


# --- the faults


def _faults(node: ast.AST, owner: str) -> Iterator[tuple[str, str, ast.AST]]:
    """(what, kind, the new node) for each way in which a node may be wrong."""
    if owner in TABLES_OF_NAMES or owner.rpartition(".")[2] in TABLES_OF_NAMES:
        return
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        other = COMPARISONS.get(type(node.ops[0]))
        if other:
            changed = ast.Compare(node.left, [other()], node.comparators)
            yield _told(node, changed), "comparison", changed
    elif isinstance(node, ast.Compare):
        for at, op in enumerate(node.ops):
            ops = [*node.ops[:at], COMPARISONS[type(op)](), *node.ops[at + 1 :]]
            changed = ast.Compare(node.left, ops, node.comparators)
            yield _told(node, changed), "comparison", changed
    elif isinstance(node, ast.BoolOp):
        other_way = ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        yield _told(node, other_way), "and/or", other_way
        for at, value in enumerate(node.values):
            rest = [*node.values[:at], *node.values[at + 1 :]]
            left = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
            yield f"without `{_short(value)}`", "condition", left
    elif isinstance(node, ast.Constant):
        yield from _other_constants(node)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        changed_sum = ast.BinOp(node.left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), node.right)
        yield _told(node, changed_sum), "sum", changed_sum
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _told(node, node.operand), "negation", node.operand
    elif isinstance(node, ast.IfExp):
        swapped = ast.IfExp(node.test, node.orelse, node.body)
        yield f"`{_short(node)}` the other way round", "condition", swapped
    elif isinstance(node, ast.If):
        turned = ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
        yield f"if not ({_short(node.test)})", "condition", turned
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SWAPPED_CALLS:
        name = SWAPPED_CALLS[node.func.id]
        yield f"{name} for {_short(node)}", "call", ast.Call(ast.Name(name, ast.Load()), node.args, node.keywords)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield f"without `{_short(node.value)}`", "step", ast.Pass()
    elif isinstance(node, ast.Set | ast.Dict) or _is_table(node):
        yield from _shorter(node)


def _other_constants(node: ast.Constant) -> Iterator[tuple[str, str, ast.AST]]:
    value = node.value
    if isinstance(value, bool):
        yield f"{value} -> {not value}", "truth", ast.Constant(not value)
    elif isinstance(value, int):
        yield f"{value} -> {value + 1}", "number", ast.Constant(value + 1)
    elif isinstance(value, str) and RULE_ID.fullmatch(value):
        wrong = f"{value.partition('-')[0]}-XXX-00"
        yield f"{value} -> {wrong}", RULE_LABEL, ast.Constant(wrong)


def _is_table(node: ast.AST) -> bool:
    """A tuple of tuples: lines of a table, such as the modifiers of a save."""
    return isinstance(node, ast.Tuple) and len(node.elts) > 1 and all(isinstance(e, ast.Tuple) for e in node.elts)


def _shorter(node: ast.AST) -> Iterator[tuple[str, str, ast.AST]]:
    if isinstance(node, ast.Dict):
        for at, key in enumerate(node.keys):
            if len(node.keys) > 1 and key is not None:
                keys, values = [*node.keys[:at], *node.keys[at + 1 :]], [*node.values[:at], *node.values[at + 1 :]]
                yield f"without the line {_short(key)}", "table", ast.Dict(keys, values)
    elif isinstance(node, ast.Set | ast.Tuple):
        for at, item in enumerate(node.elts):
            rest = [*node.elts[:at], *node.elts[at + 1 :]]
            new = ast.Set(rest) if isinstance(node, ast.Set) else ast.Tuple(rest, ast.Load())
            if rest:
                yield f"without the line {_short(item)}", "table", new


def _told(old: ast.AST, new: ast.AST) -> str:
    return f"`{_short(new)}` for `{_short(old)}`"


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
