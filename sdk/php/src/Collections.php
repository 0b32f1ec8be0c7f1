<?php

declare(strict_types=1);

namespace Hengfu;

use Hengfu\Types\Collection;
use Hengfu\Types\NewCollection;

/** Orders by which payers pay you. */
final class Collections
{
    private const PATH = '/openapi/v1/collections';

    /** @internal use Hengfu */
    public function __construct(private readonly Transport $transport)
    {
    }

    /** Creates an order. The same number with the same body returns the same order. */
    public function create(NewCollection $new, ?string $idempotencyKey = null): Collection
    {
        return Collection::fromArray($this->transport->send('POST', self::PATH, [], $new, $idempotencyKey));
    }

    /** Finds an order by your number. */
    public function find(string $outTradeNo): Collection
    {
        return Collection::fromArray($this->transport->send('GET', self::PATH, ['out_trade_no' => $outTradeNo]));
    }

    /** Returns an order by our number. */
    public function get(string $tradeNo): Collection
    {
        return Collection::fromArray($this->transport->send('GET', self::PATH . '/' . rawurlencode($tradeNo)));
    }

    /** Cancels an unpaid order. */
    public function cancel(string $tradeNo, ?string $idempotencyKey = null): Collection
    {
        $path = self::PATH . '/' . rawurlencode($tradeNo) . '/cancel';

        return Collection::fromArray($this->transport->send('POST', $path, [], null, $idempotencyKey));
    }

    /** Refunds all that is left of an order. For a part, or to name the refund, use Refunds::create. */
    public function refund(string $tradeNo, ?string $idempotencyKey = null): Collection
    {
        $path = self::PATH . '/' . rawurlencode($tradeNo) . '/refund';

        return Collection::fromArray($this->transport->send('POST', $path, [], null, $idempotencyKey));
    }

    /**
     * Lists orders, newest first, page by page as you read on.
     *
     * @param list<string>|null $status items in any of these states
     * @param \DateTimeInterface|null $createdTo items created before this instant
     * @param int|null $limit items per call, 1–100
     * @return \Generator<int, Collection>
     */
    public function list(
        ?array $status = null,
        ?\DateTimeInterface $createdFrom = null,
        ?\DateTimeInterface $createdTo = null,
        ?int $limit = null,
    ): \Generator {
        $filters = Pages::filters($status, $createdFrom, $createdTo, $limit);
        foreach (Pages::read($this->transport, self::PATH . '/list', $filters) as $item) {
            yield Collection::fromArray($item);
        }
    }
}
