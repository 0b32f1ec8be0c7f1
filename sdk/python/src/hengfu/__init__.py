"""Client of the Hengfu Open API."""

from .client import Hengfu
from .errors import CallbackVerificationError, ConnectionFailed, HengfuError
from .signature import sign
from .types import (
    Balance,
    BalanceEntry,
    Collection,
    NewCollection,
    NewPayout,
    NewRefund,
    Payout,
    Refund,
    Settlement,
)
from .webhooks import CallbackEvent, verify_callback

__version__ = "0.1.0"
__all__ = [
    "Balance",
    "BalanceEntry",
    "CallbackEvent",
    "CallbackVerificationError",
    "Collection",
    "ConnectionFailed",
    "Hengfu",
    "HengfuError",
    "NewCollection",
    "NewPayout",
    "NewRefund",
    "Payout",
    "Refund",
    "Settlement",
    "sign",
    "verify_callback",
]
