"""Keys of routes that two routes share, that have another form, or that some routes lack."""

from __future__ import annotations

from portproof_defects._folds import Folding

from agentports.ports import BranchId, EdgeSegment, RouteSegment
from portproof.selftest import defect


@defect("OPS-BRANCH-KEY-GRAMMAR")
class Separated(Folding):
    """Steps are separated by a greater-than sign."""

    def branch_key(self, branch_id: BranchId) -> str:
        return ">".join(self.segment(segment) for segment in branch_id.segments)


@defect("OPS-BRANCH-KEY-GRAMMAR")
class NoLengthInJoins(Folding):
    """Edges into a join are separated by commas."""

    def segment(self, segment: RouteSegment) -> str:
        if isinstance(segment, EdgeSegment):
            return super().segment(segment)
        return f"j{self.named(segment.join)}({','.join(segment.of)})"


@defect("OPS-BRANCH-KEY-INJECTIVE")
class Delimited(Folding):
    """Ids are joined by a delimiter that they may hold."""

    def segment(self, segment: RouteSegment) -> str:
        if isinstance(segment, EdgeSegment):
            return f"e:{segment.edge}"
        return f"j:{segment.join}({'e:'.join(segment.of)})"


@defect("OPS-BRANCH-KEY-INJECTIVE")
class CutShort(Folding):
    """Of an id the first characters are kept."""

    def named(self, name: str) -> str:
        return super().named(name[:3])


@defect("OPS-BRANCH-KEY-INJECTIVE")
class ForgetsTheEdges(Folding):
    """Of a join only the first edge is told."""

    def segment(self, segment: RouteSegment) -> str:
        if isinstance(segment, EdgeSegment):
            return super().segment(segment)
        return f"j{self.named(segment.join)}({''.join(self.edge(edge) for edge in segment.of[:1])})"


@defect("OPS-BRANCH-KEY-ORDER-SENSITIVE")
class SortsSteps(Folding):
    """Steps are sorted."""

    def branch_key(self, branch_id: BranchId) -> str:
        return "".join(sorted(self.segment(segment) for segment in branch_id.segments))


@defect("OPS-BRANCH-KEY-ORDER-SENSITIVE")
class SortsEdges(Folding):
    """The edges into a join are sorted."""

    def segment(self, segment: RouteSegment) -> str:
        if isinstance(segment, EdgeSegment):
            return super().segment(segment)
        return f"j{self.named(segment.join)}({''.join(self.edge(edge) for edge in sorted(segment.of))})"


@defect("OPS-BRANCH-KEY-TOTAL")
class Recurses(Folding):
    """Each step is put before the key of the rest."""

    def branch_key(self, branch_id: BranchId) -> str:
        return self.rest(branch_id, 0)

    def rest(self, branch_id: BranchId, begin: int) -> str:
        if begin == len(branch_id.segments):
            return ""
        return self.segment(branch_id.segments[begin]) + self.rest(branch_id, begin + 1)


@defect("OPS-BRANCH-KEY-TOTAL")
class RefusesEmptyIds(Folding):
    """An id must have a character."""

    def named(self, name: str) -> str:
        if not name:
            raise ValueError("an id is empty")
        return super().named(name)
