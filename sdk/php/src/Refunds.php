<?php

declare(strict_types=1);

namespace Hengfu;

use Hengfu\Types\Refund;
use Hengfu\Types\NewRefund;

/** Collections, or parts of them, that are given back. */
final class Refunds
{
    private const PATH = '/openapi/v1/refunds';

    /** @internal use Hengfu */
    public function __construct(private readonly Transport $transport)
    {
    }

    /** Refunds an order or a part of it; without an amount, all that is left. The same number with the same body returns the same refund. */
    public function create(NewRefund $new, ?string $idempotencyKey = null): Refund
    {
        return Refund::fromArray($this->transport->send('POST', self::PATH, [], $new, $idempotencyKey));
    }

    /** Finds a refund by your number. */
    public function find(string $outRefundNo): Refund
    {
        return Refund::fromArray($this->transport->send('GET', self::PATH, ['out_refund_no' => $outRefundNo]));
    }

    /** Returns a refund by our number. */
    public function get(string $refundNo): Refund
    {
        return Refund::fromArray($this->transport->send('GET', self::PATH . '/' . rawurlencode($refundNo)));
    }

    /**
     * Lists refunds, newest first, page by page as you read on.
     *
     * @param list<string>|null $status items in any of these states
     * @param \DateTimeInterface|null $createdTo items created before this instant
     * @param int|null $limit items per call, 1–100
     * @return \Generator<int, Refund>
     */
    public function list(
        ?array $status = null,
        ?\DateTimeInterface $createdFrom = null,
        ?\DateTimeInterface $createdTo = null,
        ?int $limit = null,
    ): \Generator {
        $filters = Pages::filters($status, $createdFrom, $createdTo, $limit);
        foreach (Pages::read($this->transport, self::PATH . '/list', $filters) as $item) {
            yield Refund::fromArray($item);
        }
    }
}
