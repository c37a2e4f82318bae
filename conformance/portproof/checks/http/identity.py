"""What a provider is told by."""

from __future__ import annotations

import uuid

from portproof.benches.http.bench import HttpBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal


@check("HTTP-ID-UUID")
async def the_id_is_a_uuid_of_the_instance(bench: HttpBench) -> None:
    providers = [await bench.provider() for _ in range(3)]
    ids = [getattr(provider, "id", None) for provider in providers]
    for found in ids:
        expect(isinstance(found, str) and _is_uuid(found), "id is no UUID", got=found)
    expect_equal([provider.id for provider in providers], ids, "ids read a second time")
    expect_equal(len(set(ids)), len(ids), "different ids of three instances")


def _is_uuid(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


@check("HTTP-FORMAT-PASSED")
async def format_is_what_was_given(bench: HttpBench) -> None:
    given = object()
    expect((await bench.provider(format=given)).format is given, "format is not the object that was given")
    expect((await bench.provider()).format is None, "format is not None where none was given")
