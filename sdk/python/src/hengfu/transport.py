"""Sends signed calls, and repeats those that may succeed later."""

import json
import random
import re
import secrets
import time
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any, Mapping, Optional
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from .errors import ConnectionFailed, HengfuError, is_about_order, leaves_outcome_unknown
from .signature import encode, sign

API_VERSION = "2026-11-25"
"""The version of the Open API that this library is written for."""
USER_AGENT = "hengfu-python/0.1.0"
MAX_DELAY = 30.0
MAX_RETRY_AFTER = 60
"""The longest wait that the service may ask for; after a longer one the caller decides."""


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


_opener = build_opener(_NoRedirects)


class Transport:
    """Calls of one access key. Safe to share between threads: it keeps no state."""

    def __init__(
        self,
        base: str,
        key: str,
        secret: str,
        language: Optional[str],
        timeout: float,
        max_retries: int,
        retry_delay: float,
    ) -> None:
        if not key or not secret:
            raise ValueError("key and secret must not be empty")
        self._base = _checked_base(base)
        self._key = key
        self._secret = secret
        self._language = language
        self._timeout = timeout
        self._max_retries = max_retries
        self._retry_delay = retry_delay

    def send(
        self,
        method: str,
        path: str,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
    ) -> dict[str, Any]:
        """Sends a call until it has a reply that is final: the same text each time, newly signed."""
        path_with_query = path + _query_text(query or {})
        content = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        attempt = 0
        is_unknown = False
        while True:
            try:
                return self._attempt(method, path_with_query, content, idempotency_key)
            except (HengfuError, ConnectionFailed) as error:
                is_unknown = _is_unknown_after(error, is_unknown)
                # Larger powers of two would not fit into a float.
                wait = _wait_before(error, self._retry_delay * 2 ** min(attempt, 20))
                if wait is None or attempt >= self._max_retries:
                    if is_unknown and isinstance(error, HengfuError):
                        raise ConnectionFailed(error) from error
                    raise
            time.sleep(wait)
            attempt += 1

    def _attempt(
        self, method: str, path_with_query: str, content: bytes, idempotency_key: Optional[str]
    ) -> dict[str, Any]:
        timestamp, nonce = str(int(time.time())), secrets.token_hex(16)
        headers = {
            "User-Agent": USER_AGENT,
            "Hengfu-Version": API_VERSION,
            "X-Key": self._key,
            "X-Timestamp": timestamp,
            "X-Nonce": nonce,
            "X-Signature": sign(self._secret, method, path_with_query, timestamp, nonce, content),
        }
        if self._language is not None:
            headers["Accept-Language"] = self._language
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        if content:
            headers["Content-Type"] = "application/json"
        request = Request(self._base + path_with_query, data=content or None, headers=headers, method=method)
        try:
            try:
                with _opener.open(request, timeout=self._timeout) as response:
                    return _read(response.status, response.headers, response.read())
            except HTTPError as error:
                with error:
                    return _read(error.code, error.headers, error.read())
        except (OSError, HTTPException) as error:
            raise ConnectionFailed(error) from error


def _checked_base(base: str) -> str:
    """Returns the base without a slash at its end. Plain HTTP would show all orders to the network."""
    parts = urlsplit(base)
    host = parts.hostname or ""
    is_local = host in ("localhost", "::1") or re.fullmatch(r"127\.\d+\.\d+\.\d+", host) is not None
    if host == "" or not (parts.scheme == "https" or (parts.scheme == "http" and is_local)):
        raise ValueError("base must begin with https://")
    if parts.path not in ("", "/") or parts.query or parts.fragment or parts.username is not None:
        raise ValueError("base must be a scheme and a host only")
    return f"{parts.scheme}://{parts.netloc}"


def _query_text(query: Mapping[str, Any]) -> str:
    pairs = [f"{encode(name)}={encode(str(value))}" for name, value in query.items() if value is not None]
    return f"?{'&'.join(pairs)}" if pairs else ""


def _read(status: int, headers: Message, content: bytes) -> dict[str, Any]:
    try:
        reply = json.loads(content)
    except ValueError:
        reply = None
    if 200 <= status < 300 and isinstance(reply, dict):
        return reply
    raise _error_of(status, headers, reply if isinstance(reply, dict) else {})


def _error_of(status: int, headers: Message, reply: dict[str, Any]) -> HengfuError:
    given = headers.get("Retry-After", "")
    retry_after = int(given) if re.fullmatch(r"[0-9]{1,9}", given) else None
    request_id = headers.get("X-Request-Id")
    code = reply.get("code")
    if not isinstance(code, str):
        message = f"the reply with status {status} is not one of the service"
        return HengfuError(status, "unreadable_reply", message, request_id, retry_after=retry_after)
    skew = _skew_sentence(headers.get("Date")) if code == "signature_expired" else ""
    return HengfuError(
        status,
        code,
        f"{reply.get('message', '')}{skew}",
        reply.get("request_id", request_id),
        reply.get("details"),
        reply.get("errors"),
        retry_after,
    )


def _skew_sentence(date: Optional[str]) -> str:
    """Says how far this machine's clock is off, by the service's own."""
    try:
        seconds = round(time.time() - parsedate_to_datetime(date or "").timestamp())
    except (TypeError, ValueError):
        return ""
    direction = "ahead of" if seconds > 0 else "behind"
    return f" This machine's clock is {abs(seconds)} s {direction} the service's: synchronize it (NTP)."


def _is_unknown_after(error: HengfuError | ConnectionFailed, was_unknown: bool) -> bool:
    """Tells whether the outcome of a call is unknown after an attempt that failed. ``was_unknown``: it was before that attempt."""
    if isinstance(error, ConnectionFailed):
        return True
    return leaves_outcome_unknown(error) or (was_unknown and not is_about_order(error))


def _wait_before(error: HengfuError | ConnectionFailed, backoff: float) -> Optional[float]:
    """Returns the seconds to wait before another attempt; None if there must be none."""
    # At random between half and all of it, so that many callers do not return at once.
    wait = min(backoff, MAX_DELAY) * random.uniform(0.5, 1)
    if isinstance(error, ConnectionFailed):
        return wait
    if not error.is_temporary:
        return None
    retry_after = error.retry_after or 0
    return None if retry_after > MAX_RETRY_AFTER else max(wait, retry_after)
