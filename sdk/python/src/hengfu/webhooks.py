"""Verification of callbacks."""

import base64
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence

from .errors import CallbackVerificationError


@dataclass(frozen=True)
class CallbackEvent:
    """A genuine callback."""

    id: str
    """``webhook-id``: the same on every attempt. Store it, and answer a repeated one with 2xx."""
    type: str
    """As in ``collection.paid``. Ignore types that you do not know."""
    timestamp: str
    """When it happened, ISO 8601."""
    data: dict[str, Any]
    """The order, payout or refund as it was then."""


def verify_callback(
    secrets: str | Sequence[str],
    headers: Mapping[str, str],
    raw_body: bytes,
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> CallbackEvent:
    """Returns the event of a genuine callback; raises CallbackVerificationError for any other request.

    Raises ValueError if a secret is empty or not base64 after ``whsec_``.
    ``secrets`` is the secret of your access key or endpoint, or several while you replace one. ``raw_body`` is the
    body as it arrived: JSON that was parsed and written again has another signature. ``tolerance`` is in seconds.
    """
    keys = [_key_of(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    lower = {name.lower(): value for name, value in headers.items()}
    message_id = lower.get("webhook-id")
    timestamp = lower.get("webhook-timestamp")
    signatures = lower.get("webhook-signature")
    if not message_id or not timestamp or not signatures:
        raise CallbackVerificationError("missing_header", "a webhook-* header is missing")
    clock = time.time() if now is None else now
    if re.fullmatch(r"[0-9]{1,12}", timestamp) is None or abs(clock - int(timestamp)) > tolerance:
        raise CallbackVerificationError(
            "timestamp_out_of_range", "the timestamp is too far from this machine's clock"
        )
    # Some servers decode bytes that are not ASCII as surrogates.
    signed = f"{message_id}.{timestamp}.".encode(errors="surrogatepass") + raw_body
    expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    given = [_bytes_of(entry[3:]) for entry in signatures.split(" ") if entry.startswith("v1,")]
    if not any(hmac.compare_digest(one, other) for one in expected for other in given):
        raise CallbackVerificationError(
            "no_matching_signature", "no signature matches: check the secret, and pass the raw body"
        )
    return _event_of(message_id, raw_body)


def _key_of(secret: str) -> bytes:
    """The key's bytes: those of the text, or those that ``whsec_`` and base64 stand for."""
    key = _bytes_of(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    if not key:
        raise ValueError("the secret must not be empty, or other than base64 after whsec_")
    return key


def _bytes_of(text: str) -> bytes:
    """Decodes base64; returns no bytes for any other text."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""


def _event_of(message_id: str, raw_body: bytes) -> CallbackEvent:
    try:
        event = json.loads(raw_body)
    except ValueError:
        event = None
    if isinstance(event, dict) and isinstance(event.get("type"), str) and isinstance(event.get("data"), dict):
        return CallbackEvent(message_id, event["type"], str(event.get("timestamp", "")), event["data"])
    raise CallbackVerificationError("malformed_body", "the signed body is not an event")
