<?php

declare(strict_types=1);

namespace Hengfu\Types;

/**
 * Generated from sdk/openapi.json by "npm run sdk". Do not edit.
 */
final class Balance
{
    public function __construct(
        /** CNY, USD, INR, BRL, VND, USDT; more may be added. */
        public readonly string $currency,
        public readonly string $available,
        public readonly string $locked,
        public readonly string $balance,
        public readonly string $unsettled,
        public readonly string $total,
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
            currency: $json['currency'],
            available: $json['available'],
            locked: $json['locked'],
            balance: $json['balance'],
            unsettled: $json['unsettled'],
            total: $json['total'],
        );
    }
}
