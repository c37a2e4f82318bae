"""References inside arguments: to another node's output, and to a template's parameter (document 30, section 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, TypeGuard, final, get_args

from agentports.ports.plans.routes import BranchId

__all__ = [
    "ArgValue",
    "NodeRef",
    "ParamRef",
    "Select",
    "SelectIndex",
    "TemplateArgValue",
    "is_node_ref",
    "is_param_ref",
]

#: An encodable value, a `NodeRef`, or lists and string-keyed dicts of these.
ArgValue: TypeAlias = Any
#: An `ArgValue` that may hold `ParamRef` in the same positions.
TemplateArgValue: TypeAlias = Any


@final
class SelectIndex(Mapping[str, int]):
    """`{"index": n}`, unchangeable and hashable: equal to that dict. A negative index resolves to nothing."""

    __slots__ = ("_index",)
    _index: int

    def __init__(self, index: int) -> None:
        if type(index) is not int:
            raise TypeError(f"an index is an int, not {type(index).__name__}")
        object.__setattr__(self, "_index", index)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"SelectIndex cannot be changed ({name})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"SelectIndex cannot be changed ({name})")

    def __getitem__(self, key: str) -> int:
        if key != "index":
            raise KeyError(key)
        return self._index

    def __iter__(self) -> Iterator[str]:
        return iter(("index",))

    def __len__(self) -> int:
        return 1

    def __hash__(self) -> int:
        return hash(("index", self._index))

    def __repr__(self) -> str:
        return repr({"index": self._index})

    def __reduce__(self) -> tuple[type[SelectIndex], tuple[int]]:
        return SelectIndex, (self._index,)


SelectWord: TypeAlias = Literal["first", "last", "all"]
Select: TypeAlias = SelectWord | Mapping[str, int]
_WORDS: Final[tuple[SelectWord, ...]] = get_args(SelectWord)


@final
@dataclass(frozen=True, slots=True)
class NodeRef:
    """Reads the output of a node: of `node`, the executions that `select` picks, and of those what `path` leads to.

    `branch_id` restricts it to the execution which that route reached. `select` may be given as `{"index": n}`.
    """

    node: str
    select: Select
    path: str | None = None
    branch_id: BranchId | None = None

    def __post_init__(self) -> None:
        if type(self.node) is not str or not (self.path is None or type(self.path) is str):
            raise TypeError("node and path of a NodeRef are texts")
        if not (self.branch_id is None or type(self.branch_id) is BranchId):
            raise TypeError(f"branch_id of a NodeRef is a BranchId, not {type(self.branch_id).__name__}")
        object.__setattr__(self, "select", _select(self.select))


def _select(given: Any) -> Select:
    if type(given) is SelectIndex:
        return given
    for word in _WORDS:
        if type(given) is str and given == word:
            return word
    if isinstance(given, Mapping) and list(given) == ["index"]:
        return SelectIndex(given["index"])
    raise ValueError('select of a NodeRef is "first", "last", "all" or {"index": n}')


@final
@dataclass(frozen=True, slots=True)
class ParamRef:
    """A hole in a template, filled from its arguments."""

    path: str

    def __post_init__(self) -> None:
        if type(self.path) is not str:
            raise TypeError("path of a ParamRef is a text")


def is_node_ref(value: object) -> TypeGuard[NodeRef]:
    """Whether it is a `NodeRef`; nothing that merely looks like one is (ENC-REF-GUARDS)."""
    return type(value) is NodeRef


def is_param_ref(value: object) -> TypeGuard[ParamRef]:
    """Whether it is a `ParamRef`; nothing that merely looks like one is (ENC-REF-GUARDS)."""
    return type(value) is ParamRef
