<?php

declare(strict_types=1);

namespace Hengfu\Types;

/**
 * Generated from sdk/openapi.json by "npm run sdk". Do not edit.
 */
final class Payout
{
    public function __construct(
        public readonly string $tradeNo,
        public readonly ?string $outTradeNo,
        /** pending, processing, processed, rejected, pendingSettlement; more may be added. */
        public readonly string $status,
        /** waiting, approved, refused, withdrawn, expired; more may be added. */
        public readonly ?string $approvalState,
        public readonly string $amount,
        public readonly string $fee,
        /** CNY, USD, INR, BRL, VND, USDT; more may be added. */
        public readonly string $currency,
        /** CN_BANK, VN_NAPAS, IN_IMPS, BR_PIX; more may be added. */
        public readonly string $channel,
        public readonly string $payee,
        public readonly string $payeeAccount,
        public readonly \DateTimeImmutable $createdAt,
        public readonly ?\DateTimeImmutable $paidAt,
        public readonly ?\DateTimeImmutable $rejectedAt,
        /** accountClosed, nameMismatch, neverArrived, other; more may be added. */
        public readonly ?string $rejectCode,
        public readonly ?string $rejectReason,
        public readonly ?string $bankReference,
    ) {
    }

    /**
     * Reads a reply of the service, or the data of a callback. Fields that this version does not know are ignored.
     *
     * @param array<string, mixed> $json
     */
    public static function fromArray(array $json): self
    {
        return new self(
            tradeNo: $json['trade_no'],
            outTradeNo: $json['out_trade_no'] ?? null,
            status: $json['status'],
            approvalState: $json['approvalState'] ?? null,
            amount: $json['amount'],
            fee: $json['fee'],
            currency: $json['currency'],
            channel: $json['channel'],
            payee: $json['payee'],
            payeeAccount: $json['payeeAccount'],
            createdAt: new \DateTimeImmutable($json['createdAt']),
            paidAt: isset($json['paidAt']) ? new \DateTimeImmutable($json['paidAt']) : null,
            rejectedAt: isset($json['rejectedAt']) ? new \DateTimeImmutable($json['rejectedAt']) : null,
            rejectCode: $json['rejectCode'] ?? null,
            rejectReason: $json['rejectReason'] ?? null,
            bankReference: $json['bankReference'] ?? null,
        );
    }
}
