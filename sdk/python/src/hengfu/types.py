"""Bodies and replies of the calls, generated from sdk/openapi.json by "npm run sdk". Do not edit.

Amounts are decimal texts; instants are ISO 8601 texts in UTC.
"""

from typing import Any, NotRequired, Optional, TypedDict

__all__ = ["Balance", "BalanceEntry", "Collection", "NewCollection", "NewPayout", "NewRefund", "Payout", "Refund", "Settlement"]


class Balance(TypedDict):
    """As the service returns it."""

    currency: str
    """CNY, USD, INR, BRL, VND, USDT; more may be added."""
    available: str
    locked: str
    balance: str
    unsettled: str
    total: str


class BalanceEntry(TypedDict):
    """As the service returns it."""

    entry_no: str
    type: str
    """collectionSettlement, payoutDeduction, payoutRefund, recharge, withdrawal, withdrawalRejected, transferIn, transferOut; more may be added."""
    amount: str
    balance: str
    currency: str
    """CNY, USD, INR, BRL, VND, USDT; more may be added."""
    subject_no: str
    createdAt: str


class Collection(TypedDict):
    """As the service returns it."""

    trade_no: str
    out_trade_no: str
    status: str
    """toBePaid, paid, success, refunded, cancelled, closed, failed; more may be added."""
    amount: str
    fee: str
    currency: str
    """CNY, USD, INR, BRL, VND, USDT; more may be added."""
    channel: Optional[str]
    subject: Optional[str]
    cashierUrl: str
    createdAt: str
    expiresAt: str
    paidAt: Optional[str]
    refundedAt: Optional[str]
    failureCode: Optional[str]
    """insufficientFunds, declinedByPayer, other; more may be added."""
    failureReason: Optional[str]
    refunded: str
    refundPending: bool
    refundApprovalState: Optional[str]
    """waiting, approved, refused, withdrawn, expired; more may be added."""


class NewCollection(TypedDict):
    """The body of a call that creates one."""

    out_trade_no: str
    amount: str
    currency: str
    """CNY, USD, INR, BRL, VND, USDT; more may be added."""
    channel: NotRequired[str]
    subject: NotRequired[str]
    notifyUrl: NotRequired[str]
    returnUrl: NotRequired[str]
    expiresIn: NotRequired[int]


class NewPayout(TypedDict):
    """The body of a call that creates one."""

    out_trade_no: str
    currency: str
    """CNY, USD, INR, BRL, VND, USDT; more may be added."""
    channel: str
    """CN_BANK, VN_NAPAS, IN_IMPS, BR_PIX; more may be added."""
    amount: str
    payee: str
    payeeAccount: str
    bank: NotRequired[str]
    bankName: NotRequired[str]
    branchName: NotRequired[str]
    ifsc: NotRequired[str]
    accountType: NotRequired[str]
    """CPF, CNPJ, PHONE, EMAIL, EVP; more may be added."""
    taxId: NotRequired[str]
    remark: NotRequired[str]
    notifyUrl: NotRequired[str]
    confirmSimilar: NotRequired[bool]


class NewRefund(TypedDict):
    """The body of a call that creates one."""

    out_refund_no: str
    trade_no: str
    amount: NotRequired[str]
    reason: NotRequired[str]


class Payout(TypedDict):
    """As the service returns it."""

    trade_no: str
    out_trade_no: Optional[str]
    status: str
    """pending, processing, processed, rejected, pendingSettlement; more may be added."""
    approvalState: Optional[str]
    """waiting, approved, refused, withdrawn, expired; more may be added."""
    amount: str
    fee: str
    currency: str
    """CNY, USD, INR, BRL, VND, USDT; more may be added."""
    channel: str
    """CN_BANK, VN_NAPAS, IN_IMPS, BR_PIX; more may be added."""
    payee: str
    payeeAccount: str
    createdAt: str
    paidAt: Optional[str]
    rejectedAt: Optional[str]
    rejectCode: Optional[str]
    """accountClosed, nameMismatch, neverArrived, other; more may be added."""
    rejectReason: Optional[str]
    bankReference: Optional[str]


class Refund(TypedDict):
    """As the service returns it."""

    refund_no: str
    out_refund_no: Optional[str]
    trade_no: str
    out_trade_no: str
    status: str
    """requested, processing, refunded, failed; more may be added."""
    amount: str
    fee: str
    currency: str
    """CNY, USD, INR, BRL, VND, USDT; more may be added."""
    reason: Optional[str]
    approvalState: Optional[str]
    """waiting, approved, refused, withdrawn, expired; more may be added."""
    failureCode: Optional[str]
    """notApproved, withdrawn, expired, channelRefused, neverArrived; more may be added."""
    createdAt: str
    endedAt: Optional[str]


class Settlement(TypedDict):
    """As the service returns it."""

    settlement_no: str
    status: str
    """pendingSettlement, settled; more may be added."""
    currency: str
    """CNY, USD, INR, BRL, VND, USDT; more may be added."""
    orderCount: int
    refundCount: int
    amount: str
    fee: str
    refunded: str
    net: str
    cutOffAt: str
    createdAt: str
    settledAt: Optional[str]
