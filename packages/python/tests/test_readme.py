"""The samples of the README run as they stand, and refuse a request without a token."""

import asyncio
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

README = (Path(__file__).parents[1] / "README.md").read_text()
SAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
SETTINGS = {
    "ISSUER": "http://127.0.0.1:9",
    "AUDIENCE": "https://api.example.com",
    "RS_ID": "rsv",
    "RS_SECRET": "secret",
}


async def send(app: Any, method: str, path: str) -> httpx.Response:
    if isinstance(app, FastAPI):
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://inner") as client:
            return await client.request(method, path)
    with httpx.Client(transport=httpx.WSGITransport(app), base_url="http://inner") as wsgi_client:
        return wsgi_client.request(method, path)


@pytest.mark.parametrize("sample", SAMPLES, ids=["fastapi", "flask", "middleware"])
def test_sample(sample: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    members: dict[str, Any] = {"__name__": "sample"}
    exec(sample, members)

    async def run() -> None:
        app, verifier = members["app"], members["verifier"]
        response = await send(app, "POST", "/workspaces/wks1/records")
        assert response.status_code == 401
        assert response.headers["www-authenticate"].startswith("Bearer")
        if "PUBLIC" in members:
            assert (await send(app, "GET", "/health")).text == "healthy"
        closing = verifier.close()
        if closing is not None:
            await closing

    asyncio.run(run())
