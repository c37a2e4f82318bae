"""Reports: one form as data, three as files."""

from portproof.report.model import SubjectRecord, build_report, verdict_of
from portproof.report.writing import REPORT_SUFFIXES, write_report

__all__ = ["REPORT_SUFFIXES", "SubjectRecord", "build_report", "verdict_of", "write_report"]
