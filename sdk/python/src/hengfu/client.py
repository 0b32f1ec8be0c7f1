"""The calls of the Open API."""

from typing import Any, Generic, Iterator, Mapping, Optional, Sequence, TypeVar, cast

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

Item = TypeVar("Item")
New = TypeVar("New", bound=Mapping[str, Any])


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
        """Reads any list of the Open API to its end, a page per call, as in ``/openapi/v1/collections/list``.

        Several values are sent separated by commas; an empty list selects all.
        """
        query = {name: _filter_text(value) for name, value in filters.items()}
        cursor: Optional[str] = None
        while True:
            page = self.get(path, {**query, "cursor": cursor})
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return


def _filter_text(value: str | int | Sequence[str] | None) -> str | int | None:
    if value is None or isinstance(value, (str, int)):
        return value
    return ",".join(value) if value else None


class _Listed(Generic[Item]):
    _path: str

    def __init__(self, client: Hengfu) -> None:
        self._client = client

    def list(
        self,
        *,
        status: Optional[Sequence[str]] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Item]:
        """Lists the items, newest first, page by page as you read on. ``limit`` is the number of items per call."""
        items = self._client.list(
            f"{self._path}/list", status=status, created_from=created_from, created_to=created_to, limit=limit
        )
        return cast(Iterator[Item], items)


class _Orders(_Listed[Item], Generic[Item, New]):
    _own_number: str

    def create(self, new: New, *, idempotency_key: Optional[str] = None) -> Item:
        """Creates an order. The same number of yours with the same body returns the same order."""
        return cast(Item, self._client.post(self._path, new, idempotency_key))

    def find(self, own_number: str) -> Item:
        """Finds an order by your number."""
        return cast(Item, self._client.get(self._path, {self._own_number: own_number}))

    def get(self, number: str) -> Item:
        """Returns an order by our number."""
        return cast(Item, self._client.get(f"{self._path}/{encode(number)}"))


class _Collections(_Orders[Collection, NewCollection]):
    _path = "/openapi/v1/collections"
    _own_number = "out_trade_no"

    def cancel(self, trade_no: str, *, idempotency_key: Optional[str] = None) -> Collection:
        """Cancels an unpaid order."""
        path = f"{self._path}/{encode(trade_no)}/cancel"
        return cast(Collection, self._client.post(path, None, idempotency_key))

    def refund(self, trade_no: str, *, idempotency_key: Optional[str] = None) -> Collection:
        """Refunds all that is left of an order. For a part, or to name the refund, use ``refunds.create``."""
        path = f"{self._path}/{encode(trade_no)}/refund"
        return cast(Collection, self._client.post(path, None, idempotency_key))


class _Refunds(_Orders[Refund, NewRefund]):
    """Refunds of an order or a part of it; without ``amount``, of all that is left."""

    _path = "/openapi/v1/refunds"
    _own_number = "out_refund_no"


class _Payouts(_Orders[Payout, NewPayout]):
    _path = "/openapi/v1/payouts"
    _own_number = "out_trade_no"


class _Settlements(_Listed[Settlement]):
    _path = "/openapi/v1/settlements"


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
