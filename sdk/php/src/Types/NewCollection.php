<?php

declare(strict_types=1);

namespace Hengfu\Types;

/**
 * Generated from sdk/openapi.json by "npm run sdk". Do not edit.
 * Name the arguments, as in new NewCollection(amount: '100.00', …). Fields that are null are not sent.
 */
final class NewCollection implements \JsonSerializable
{
    public function __construct(
        public readonly string $outTradeNo,
        public readonly string $amount,
        /** CNY, USD, INR, BRL, VND, USDT; more may be added. */
        public readonly string $currency,
        public readonly ?string $channel = null,
        public readonly ?string $subject = null,
        public readonly ?string $notifyUrl = null,
        public readonly ?string $returnUrl = null,
        public readonly ?int $expiresIn = null,
    ) {
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return array_filter([
            'out_trade_no' => $this->outTradeNo,
            'amount' => $this->amount,
            'currency' => $this->currency,
            'channel' => $this->channel,
            'subject' => $this->subject,
            'notifyUrl' => $this->notifyUrl,
            'returnUrl' => $this->returnUrl,
            'expiresIn' => $this->expiresIn,
        ], static fn (mixed $value): bool => $value !== null);
    }
}
