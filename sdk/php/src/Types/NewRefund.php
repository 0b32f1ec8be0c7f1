<?php

declare(strict_types=1);

namespace Hengfu\Types;

/**
 * Generated from sdk/openapi.json by "npm run sdk". Do not edit.
 * Name the arguments, as in new NewRefund(amount: '100.00', …). Fields that are null are not sent.
 */
final class NewRefund implements \JsonSerializable
{
    public function __construct(
        public readonly string $outRefundNo,
        public readonly string $tradeNo,
        public readonly ?string $amount = null,
        public readonly ?string $reason = null,
    ) {
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return array_filter([
            'out_refund_no' => $this->outRefundNo,
            'trade_no' => $this->tradeNo,
            'amount' => $this->amount,
            'reason' => $this->reason,
        ], static fn (mixed $value): bool => $value !== null);
    }
}
