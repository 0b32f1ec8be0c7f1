"""Signatures of calls."""

import hashlib
import hmac
from urllib.parse import quote


def sign(secret: str, method: str, path_with_query: str, timestamp: str, nonce: str, body: bytes) -> str:
    """Computes the value of ``X-Signature``: the lower-case hex HMAC-SHA256 of the canonical text.

    Path and query are signed as they are sent; ``timestamp`` is Unix time in seconds.
    """
    body_hash = hashlib.sha256(body).hexdigest()
    canonical = "\n".join([method, path_with_query, timestamp, nonce, body_hash])
    return hmac.new(secret.encode(), canonical.encode(), hashlib.sha256).hexdigest()


def encode(text: str) -> str:
    """Percent-encodes a text for a path or a query: every byte but letters, digits and ``-._~``."""
    return quote(text, safe="")
