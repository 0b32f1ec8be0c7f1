"""The calls of the Open API."""

from typing import Any, Iterator, Mapping, Optional, Sequence, cast

from .signature import encode
from .transport import Transport
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

_COLLECTIONS = "/openapi/v1/collections"
_PAYOUTS = "/openapi/v1/payouts"
_REFUNDS = "/openapi/v1/refunds"


class Hengfu:
    """A client of the Open API for one access key. Share one between threads.

    ``base`` is scheme and host, as in ``https://pay.example``; plain ``http:`` is accepted for this machine only.
    ``timeout`` is how many seconds the service may be silent, ``retry_delay`` how many pass before the first retry, doubled for
    each further one.
    """

    def __init__(
        self,
        base: str,
        key: str,
        secret: str,
        *,
        language: Optional[str] = None,
        timeout: float = 60.0,
        max_retries: int = 4,
        retry_delay: float = 1.0,
    ) -> None:
        self._transport = Transport(base, key, secret, language, timeout, max_retries, retry_delay)
        self.collections = _Collections(self)
        self.refunds = _Refunds(self)
        self.payouts = _Payouts(self)
        self.settlements = _Settlements(self)
        self.balance_entries = _BalanceEntries(self)

    def balance(self) -> Balance:
        """Returns your funds."""
        return cast(Balance, self.get("/openapi/v1/balance"))

    def get(self, path: str, query: Optional[Mapping[str, Any]] = None) -> dict[str, Any]:
        """Makes any signed GET call."""
        return self._transport.send("GET", path, query)

    def post(
        self, path: str, body: Optional[Mapping[str, Any]] = None, idempotency_key: Optional[str] = None
    ) -> dict[str, Any]:
        """Makes any signed POST call. ``idempotency_key`` is 1–64 visible ASCII characters, the same on every attempt."""
        return self._transport.send("POST", path, None, body, idempotency_key)

    def list(self, path: str, **filters: str | int | Sequence[str] | None) -> Iterator[dict[str, Any]]:
        """Reads any list of the Open API to its end, a page per call, as in ``/openapi/v1/collections/list``."""
        query = {
            name: value if value is None or isinstance(value, (str, int)) else ",".join(value)
            for name, value in filters.items()
        }
        cursor: Optional[str] = None
        while True:
            page = self.get(path, {**query, "cursor": cursor})
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return


class _Collections:
    def __init__(self, client: Hengfu) -> None:
        self._client = client

    def create(self, order: NewCollection, *, idempotency_key: Optional[str] = None) -> Collection:
        """Creates an order. The same ``out_trade_no`` with the same body returns the same order."""
        return cast(Collection, self._client.post(_COLLECTIONS, order, idempotency_key))

    def find(self, out_trade_no: str) -> Collection:
        """Finds an order by your number."""
        return cast(Collection, self._client.get(_COLLECTIONS, {"out_trade_no": out_trade_no}))

    def get(self, trade_no: str) -> Collection:
        """Returns an order by our number."""
        return cast(Collection, self._client.get(f"{_COLLECTIONS}/{encode(trade_no)}"))

    def cancel(self, trade_no: str, *, idempotency_key: Optional[str] = None) -> Collection:
        """Cancels an unpaid order."""
        path = f"{_COLLECTIONS}/{encode(trade_no)}/cancel"
        return cast(Collection, self._client.post(path, None, idempotency_key))

    def refund(self, trade_no: str, *, idempotency_key: Optional[str] = None) -> Collection:
        """Refunds all that is left of an order. For a part, or to name the refund, use ``refunds.create``."""
        path = f"{_COLLECTIONS}/{encode(trade_no)}/refund"
        return cast(Collection, self._client.post(path, None, idempotency_key))

    def list(
        self,
        *,
        status: Optional[Sequence[str]] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Collection]:
        """Lists orders, newest first, page by page as you read on. ``limit`` is the number of orders per call."""
        items = self._client.list(
            f"{_COLLECTIONS}/list", status=status, created_from=created_from, created_to=created_to, limit=limit
        )
        return cast(Iterator[Collection], items)


class _Refunds:
    def __init__(self, client: Hengfu) -> None:
        self._client = client

    def create(self, refund: NewRefund, *, idempotency_key: Optional[str] = None) -> Refund:
        """Refunds an order, or a part of it. The same ``out_refund_no`` with the same body returns the same refund.

        Without ``amount``, all that is left is refunded.
        """
        return cast(Refund, self._client.post(_REFUNDS, refund, idempotency_key))

    def find(self, out_refund_no: str) -> Refund:
        """Finds a refund by your number."""
        return cast(Refund, self._client.get(_REFUNDS, {"out_refund_no": out_refund_no}))

    def get(self, refund_no: str) -> Refund:
        """Returns a refund by our number."""
        return cast(Refund, self._client.get(f"{_REFUNDS}/{encode(refund_no)}"))

    def list(
        self,
        *,
        status: Optional[Sequence[str]] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Refund]:
        """Lists refunds, newest first."""
        items = self._client.list(
            f"{_REFUNDS}/list", status=status, created_from=created_from, created_to=created_to, limit=limit
        )
        return cast(Iterator[Refund], items)


class _Payouts:
    def __init__(self, client: Hengfu) -> None:
        self._client = client

    def create(self, payout: NewPayout, *, idempotency_key: Optional[str] = None) -> Payout:
        """Creates a payout. The same ``out_trade_no`` with the same body returns the same payout."""
        return cast(Payout, self._client.post(_PAYOUTS, payout, idempotency_key))

    def find(self, out_trade_no: str) -> Payout:
        """Finds a payout by your number."""
        return cast(Payout, self._client.get(_PAYOUTS, {"out_trade_no": out_trade_no}))

    def get(self, trade_no: str) -> Payout:
        """Returns a payout by our number."""
        return cast(Payout, self._client.get(f"{_PAYOUTS}/{encode(trade_no)}"))

    def list(
        self,
        *,
        status: Optional[Sequence[str]] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Payout]:
        """Lists payouts, newest first."""
        items = self._client.list(
            f"{_PAYOUTS}/list", status=status, created_from=created_from, created_to=created_to, limit=limit
        )
        return cast(Iterator[Payout], items)


class _Settlements:
    def __init__(self, client: Hengfu) -> None:
        self._client = client

    def list(
        self,
        *,
        status: Optional[Sequence[str]] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Settlement]:
        """Lists settlements, newest first."""
        items = self._client.list(
            "/openapi/v1/settlements/list", status=status, created_from=created_from, created_to=created_to, limit=limit
        )
        return cast(Iterator[Settlement], items)


class _BalanceEntries:
    def __init__(self, client: Hengfu) -> None:
        self._client = client

    def list(
        self,
        *,
        type: Optional[Sequence[str]] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[BalanceEntry]:
        """Lists the changes of your available funds, newest first."""
        items = self._client.list(
            "/openapi/v1/balance/entries/list", type=type, created_from=created_from, created_to=created_to, limit=limit
        )
        return cast(Iterator[BalanceEntry], items)
