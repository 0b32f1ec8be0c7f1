<?php

declare(strict_types=1);

namespace Hengfu;

use Hengfu\Types\Collection;
use Hengfu\Types\Payout;
use Hengfu\Types\Refund;

/** A genuine callback. */
final class CallbackEvent
{
    /**
     * @param string $id webhook-id: the same on every attempt. Store it, and answer a repeated one with 2xx
     * @param string $type as in collection.paid. Ignore types that you do not know
     * @param string $timestamp when it happened, ISO 8601
     * @param array<string, mixed> $data the order, payout or refund as it was then
     */
    public function __construct(
        public readonly string $id,
        public readonly string $type,
        public readonly string $timestamp,
        public readonly array $data,
    ) {
    }

    /** The data of collection.* */
    public function collection(): Collection
    {
        return Collection::fromArray($this->data);
    }

    /** The data of payout.* */
    public function payout(): Payout
    {
        return Payout::fromArray($this->data);
    }

    /** The data of refund.* */
    public function refund(): Refund
    {
        return Refund::fromArray($this->data);
    }
}
