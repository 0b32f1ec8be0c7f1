<?php

declare(strict_types=1);

namespace Hengfu\Types;

/**
 * Generated from sdk/openapi.json by "npm run sdk". Do not edit.
 */
final class Collection
{
    public function __construct(
        public readonly string $tradeNo,
        public readonly string $outTradeNo,
        /** toBePaid, paid, success, refunded, cancelled, closed, failed; more may be added. */
        public readonly string $status,
        public readonly string $amount,
        public readonly string $fee,
        /** CNY, USD, INR, BRL, VND, USDT; more may be added. */
        public readonly string $currency,
        public readonly ?string $channel,
        public readonly ?string $subject,
        public readonly string $cashierUrl,
        public readonly \DateTimeImmutable $createdAt,
        public readonly \DateTimeImmutable $expiresAt,
        public readonly ?\DateTimeImmutable $paidAt,
        public readonly ?\DateTimeImmutable $refundedAt,
        /** insufficientFunds, declinedByPayer, other; more may be added. */
        public readonly ?string $failureCode,
        public readonly ?string $failureReason,
        public readonly string $refunded,
        public readonly bool $refundPending,
        /** waiting, approved, refused, withdrawn, expired; more may be added. */
        public readonly ?string $refundApprovalState,
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
            outTradeNo: $json['out_trade_no'],
            status: $json['status'],
            amount: $json['amount'],
            fee: $json['fee'],
            currency: $json['currency'],
            channel: $json['channel'] ?? null,
            subject: $json['subject'] ?? null,
            cashierUrl: $json['cashierUrl'],
            createdAt: new \DateTimeImmutable($json['createdAt']),
            expiresAt: new \DateTimeImmutable($json['expiresAt']),
            paidAt: isset($json['paidAt']) ? new \DateTimeImmutable($json['paidAt']) : null,
            refundedAt: isset($json['refundedAt']) ? new \DateTimeImmutable($json['refundedAt']) : null,
            failureCode: $json['failureCode'] ?? null,
            failureReason: $json['failureReason'] ?? null,
            refunded: $json['refunded'],
            refundPending: $json['refundPending'],
            refundApprovalState: $json['refundApprovalState'] ?? null,
        );
    }
}
