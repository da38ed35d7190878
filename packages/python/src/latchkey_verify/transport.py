"""Sends requests to the authorization server, blocking or not. All failures are VerificationUnavailable."""

import asyncio
import time

import httpx

from .errors import VerificationUnavailable
from .server import Answer, AnswerReader, ServerRequest

_FAILURES = (httpx.HTTPError, httpx.InvalidURL, RuntimeError, OSError)


def _late() -> VerificationUnavailable:
    return VerificationUnavailable("unreachable", TimeoutError("no answer in time"))


def fetch(client: httpx.Client, request: ServerRequest) -> Answer:
    deadline = time.monotonic() + request.timeout
    try:
        with client.stream(
            request.method,
            request.url,
            headers=request.headers,
            params=request.params,
            data=request.data,
            content=request.content,
            timeout=request.timeout,
            follow_redirects=False,
        ) as response:
            reader = AnswerReader(response.status_code, response.headers)
            for chunk in response.iter_bytes():
                reader.add(chunk)
                if time.monotonic() > deadline:
                    raise _late()
    except _FAILURES as cause:
        raise VerificationUnavailable("unreachable", cause) from cause
    return reader.finish()


async def _read(client: httpx.AsyncClient, request: ServerRequest) -> AnswerReader:
    async with client.stream(
        request.method,
        request.url,
        headers=request.headers,
        params=request.params,
        data=request.data,
        content=request.content,
        timeout=request.timeout,
        follow_redirects=False,
    ) as response:
        reader = AnswerReader(response.status_code, response.headers)
        async for chunk in response.aiter_bytes():
            reader.add(chunk)
        return reader


async def fetch_async(client: httpx.AsyncClient, request: ServerRequest) -> Answer:
    # Not wait_for: before Python 3.12 it loses a cancellation that comes together with the answer.
    reading = asyncio.create_task(_read(client, request))
    try:
        await asyncio.wait([reading], timeout=request.timeout)
        if not reading.done():
            raise _late()
        return reading.result().finish()
    except _FAILURES as cause:
        raise VerificationUnavailable("unreachable", cause) from cause
    finally:
        reading.cancel()
