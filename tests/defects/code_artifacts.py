"""Runners that misreport the files that code leaves."""

from __future__ import annotations

from portproof_defects._runners import Runner, changing

from portproof.selftest import defect

_PLACE = {"output_dir_env": "AF_OUTPUT_DIR"}


@defect("CODE-ARTIFACTS-ABSENT-VS-EMPTY", **_PLACE)
class LeavesAnEmptyListOut(Runner):
    """Has no artifacts where there are none, as a runner that does not report them."""

    around = changing(lambda result: {"artifacts": result.artifacts or None})


@defect("CODE-ARTIFACTS-ABSENT-VS-EMPTY", **_PLACE)
class DoesNotLook(Runner):
    """Always says that there are none."""

    around = changing(lambda result: {"artifacts": ()})


@defect("CODE-ARTIFACTS-DESCRIBED", **_PLACE)
class GivesTheSizeOfAPreview(Runner):
    """Counts a hundred bytes at most."""

    around = changing(
        lambda result: {"artifacts": tuple(a.model_copy(update={"bytes": min(a.bytes, 100)}) for a in result.artifacts)}
    )
