<?php

declare(strict_types=1);

namespace Hengfu\Types;

/**
 * Generated from sdk/openapi.json by "npm run sdk". Do not edit.
 */
final class BalanceEntry
{
    public function __construct(
        public readonly string $entryNo,
        /** collectionSettlement, payoutDeduction, payoutRefund, recharge, withdrawal, withdrawalRejected, transferIn, transferOut; more may be added. */
        public readonly string $type,
        public readonly string $amount,
        public readonly string $balance,
        /** CNY, USD, INR, BRL, VND, USDT; more may be added. */
        public readonly string $currency,
        public readonly string $subjectNo,
        public readonly \DateTimeImmutable $createdAt,
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
            entryNo: $json['entry_no'],
            type: $json['type'],
            amount: $json['amount'],
            balance: $json['balance'],
            currency: $json['currency'],
            subjectNo: $json['subject_no'],
            createdAt: new \DateTimeImmutable($json['createdAt']),
        );
    }
}
