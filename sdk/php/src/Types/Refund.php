<?php

declare(strict_types=1);

namespace Hengfu\Types;

/**
 * Generated from sdk/openapi.json by "npm run sdk". Do not edit.
 */
final class Refund
{
    public function __construct(
        public readonly string $refundNo,
        public readonly ?string $outRefundNo,
        public readonly string $tradeNo,
        public readonly string $outTradeNo,
        /** requested, processing, refunded, failed; more may be added. */
        public readonly string $status,
        public readonly string $amount,
        public readonly string $fee,
        /** CNY, USD, INR, BRL, VND, USDT; more may be added. */
        public readonly string $currency,
        public readonly ?string $reason,
        /** waiting, approved, refused, withdrawn, expired; more may be added. */
        public readonly ?string $approvalState,
        /** notApproved, withdrawn, expired, channelRefused, neverArrived; more may be added. */
        public readonly ?string $failureCode,
        public readonly \DateTimeImmutable $createdAt,
        public readonly ?\DateTimeImmutable $endedAt,
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
            refundNo: $json['refund_no'],
            outRefundNo: $json['out_refund_no'] ?? null,
            tradeNo: $json['trade_no'],
            outTradeNo: $json['out_trade_no'],
            status: $json['status'],
            amount: $json['amount'],
            fee: $json['fee'],
            currency: $json['currency'],
            reason: $json['reason'] ?? null,
            approvalState: $json['approvalState'] ?? null,
            failureCode: $json['failureCode'] ?? null,
            createdAt: new \DateTimeImmutable($json['createdAt']),
            endedAt: isset($json['endedAt']) ? new \DateTimeImmutable($json['endedAt']) : null,
        );
    }
}
