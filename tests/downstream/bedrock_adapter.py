"""A thin provider over the vendor's own client, as a subject whose transport is not ours, and that blocks.

Run from the repository: `pytest --adapter tests.downstream.bedrock_adapter:BedrockSDKProvider --known-failures
tests/downstream/bedrock-known-failures.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from typing import Any

import boto3
import urllib3
from botocore.config import Config
from botocore.eventstream import ParserError
from botocore.exceptions import BotoCoreError, ClientError
from botocore.parsers import ResponseParserError

from agentports.ports import LLMChunk, LLMRequest, LLMResponse, UnsupportedNativeOutputError
from tests.downstream.bedrock_answers import Answer, error_of
from tests.downstream.bedrock_mapping import arguments_of
from tests.downstream.bedrock_thinking import ReasoningHandler

_FAILURES = (ClientError, BotoCoreError, ParserError, ResponseParserError, urllib3.exceptions.HTTPError)
_SHAPES = (KeyError, TypeError, AttributeError)  # of an answer that is no answer of this wire
_SESSION = boto3.Session(aws_access_key_id="simulated", aws_secret_access_key="simulated", region_name="us-east-1")


class BedrockSDKProvider:
    """Converse through `boto3`, its retries switched off. It blocks, and so do its streams."""

    wire = "bedrock-converse"
    name = "bedrock-sdk"
    carries_forced_tool_choice = True
    thinking_handler = ReasoningHandler()

    def __init__(self, base_url: str, model: str = "anthropic.claude-sonnet-4-5-20250929-v1:0") -> None:
        self._model = model
        config = Config(retries={"total_max_attempts": 1})
        self._client = _SESSION.client("bedrock-runtime", endpoint_url=base_url, config=config)

    def complete(self, request: LLMRequest, hooks: Any = None) -> LLMResponse:
        """Ask once, whole."""
        answer = Answer()
        self._converted(lambda: answer.take_whole(self._ask(self._client.converse, request)))
        return answer.response(self.name)

    def stream(self, request: LLMRequest, hooks: Any = None) -> Iterator[LLMChunk]:
        """Ask once, event by event."""
        answer, index = Answer(), 0
        reply = self._converted(lambda: self._ask(self._client.converse_stream, request))
        answer.take_head(reply)
        with closing(reply["stream"]) as events:
            iterator = iter(events)
            while (event := self._converted(partial(next, iterator, None))) is not None:
                text, thinking = answer.take_event(event)
                if text or thinking:
                    yield LLMChunk(token_index=index, content=text, thinking_delta=thinking or None)
                    index += 1
        yield LLMChunk(token_index=index, done=True, response=answer.response(self.name))

    def close(self) -> None:
        """Close the client's connections."""
        self._client.close()

    def _ask(self, operation: Callable[..., Any], request: LLMRequest) -> Any:
        if request.signal is not None:
            request.signal.raise_if_aborted()
        model = self._model if request.model == self.name else request.model
        if request.output_format is not None:
            raise UnsupportedNativeOutputError(provider=self.name, model=model)
        return operation(**arguments_of(request, model))

    def _converted(self, step: Callable[[], Any]) -> Any:
        try:
            return step()
        except (*_FAILURES, *_SHAPES) as error:
            raise error_of(self.name, error) from error
