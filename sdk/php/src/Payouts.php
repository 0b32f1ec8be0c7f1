<?php

declare(strict_types=1);

namespace Hengfu;

use Hengfu\Types\Payout;
use Hengfu\Types\NewPayout;

/** Orders that pay payees from your available funds. */
final class Payouts
{
    private const PATH = '/openapi/v1/payouts';

    /** @internal use Hengfu */
    public function __construct(private readonly Transport $transport)
    {
    }

    /** Creates a payout. The same number with the same body returns the same payout. */
    public function create(NewPayout $new, ?string $idempotencyKey = null): Payout
    {
        return Payout::fromArray($this->transport->send('POST', self::PATH, [], $new, $idempotencyKey));
    }

    /** Finds a payout by your number. */
    public function find(string $outTradeNo): Payout
    {
        return Payout::fromArray($this->transport->send('GET', self::PATH, ['out_trade_no' => $outTradeNo]));
    }

    /** Returns a payout by our number. */
    public function get(string $tradeNo): Payout
    {
        return Payout::fromArray($this->transport->send('GET', self::PATH . '/' . rawurlencode($tradeNo)));
    }

    /**
     * Lists payouts, newest first, page by page as you read on.
     *
     * @param list<string>|null $status items in any of these states
     * @param \DateTimeInterface|null $createdTo items created before this instant
     * @param int|null $limit items per call, 1–100
     * @return \Generator<int, Payout>
     */
    public function list(
        ?array $status = null,
        ?\DateTimeInterface $createdFrom = null,
        ?\DateTimeInterface $createdTo = null,
        ?int $limit = null,
    ): \Generator {
        $filters = Pages::filters($status, $createdFrom, $createdTo, $limit);
        foreach (Pages::read($this->transport, self::PATH . '/list', $filters) as $item) {
            yield Payout::fromArray($item);
        }
    }
}
