"""Detectors that know some vendors' sentences and not others'."""

from __future__ import annotations

from portproof_defects._classifiers import Exposing

from portproof.selftest import defect


@defect("ERR-CTX-PHRASE-MAX-LENGTH")
class KnowsTheCodeOnly(Exposing):
    """Takes the sentence about the maximum context length for some other refusal."""

    @classmethod
    def says_overflow(cls, text: str) -> bool:
        return super().says_overflow(text.replace("maximum context length", ""))
