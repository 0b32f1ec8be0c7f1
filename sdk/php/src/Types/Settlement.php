<?php

declare(strict_types=1);

namespace Hengfu\Types;

/**
 * Generated from sdk/openapi.json by "npm run sdk". Do not edit.
 */
final class Settlement
{
    public function __construct(
        public readonly string $settlementNo,
        /** pendingSettlement, settled; more may be added. */
        public readonly string $status,
        /** CNY, USD, INR, BRL, VND, USDT; more may be added. */
        public readonly string $currency,
        public readonly int $orderCount,
        public readonly int $refundCount,
        public readonly string $amount,
        public readonly string $fee,
        public readonly string $refunded,
        public readonly string $net,
        public readonly \DateTimeImmutable $cutOffAt,
        public readonly \DateTimeImmutable $createdAt,
        public readonly ?\DateTimeImmutable $settledAt,
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
            settlementNo: $json['settlement_no'],
            status: $json['status'],
            currency: $json['currency'],
            orderCount: $json['orderCount'],
            refundCount: $json['refundCount'],
            amount: $json['amount'],
            fee: $json['fee'],
            refunded: $json['refunded'],
            net: $json['net'],
            cutOffAt: new \DateTimeImmutable($json['cutOffAt']),
            createdAt: new \DateTimeImmutable($json['createdAt']),
            settledAt: isset($json['settledAt']) ? new \DateTimeImmutable($json['settledAt']) : null,
        );
    }
}
