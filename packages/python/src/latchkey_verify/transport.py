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
        timeout=request.timeout,
        follow_redirects=False,
    ) as response:
        reader = AnswerReader(response.status_code, response.headers)
        async for chunk in response.aiter_bytes():
            reader.add(chunk)
        return reader


async def fetch_async(client: httpx.AsyncClient, request: ServerRequest) -> Answer:
    try:
        reader = await asyncio.wait_for(_read(client, request), request.timeout)
    except asyncio.TimeoutError:
        raise _late() from None
    except _FAILURES as cause:
        raise VerificationUnavailable("unreachable", cause) from cause
    return reader.finish()
