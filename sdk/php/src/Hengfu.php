<?php

declare(strict_types=1);

namespace Hengfu;

use Hengfu\Types\Balance;
use Hengfu\Types\BalanceEntry;
use Hengfu\Types\Settlement;

/** A client of the Open API for one access key. */
final class Hengfu
{
    public readonly Collections $collections;
    public readonly Refunds $refunds;
    public readonly Payouts $payouts;

    private readonly Transport $transport;

    /**
     * @param string $base scheme and host, as in https://pay.example; plain HTTP is accepted for this machine only
     * @param string $key the ID of the access key
     * @param string|null $language of error messages: en, zh-CN or vi; English by default
     * @param float $timeoutSeconds that each attempt may take
     * @param int $maxRetries attempts after the first one; 0 turns them off
     * @param float $retryDelaySeconds before the first retry, doubled for each further one
     */
    public function __construct(
        string $base,
        string $key,
        #[\SensitiveParameter] string $secret,
        ?string $language = null,
        float $timeoutSeconds = 60.0,
        int $maxRetries = 4,
        float $retryDelaySeconds = 1.0,
    ) {
        $this->transport = new Transport(
            $base,
            $key,
            $secret,
            $language,
            $timeoutSeconds,
            $maxRetries,
            $retryDelaySeconds,
        );
        $this->collections = new Collections($this->transport);
        $this->refunds = new Refunds($this->transport);
        $this->payouts = new Payouts($this->transport);
    }

    /** Returns your funds. */
    public function balance(): Balance
    {
        return Balance::fromArray($this->transport->send('GET', '/openapi/v1/balance'));
    }

    /**
     * Lists settlements, newest first.
     *
     * @param list<string>|null $status
     * @return \Generator<int, Settlement>
     */
    public function settlements(
        ?array $status = null,
        ?\DateTimeInterface $createdFrom = null,
        ?\DateTimeInterface $createdTo = null,
        ?int $limit = null,
    ): \Generator {
        $filters = ['status' => $status] + Pages::filters(null, $createdFrom, $createdTo, $limit);
        foreach (Pages::read($this->transport, '/openapi/v1/settlements/list', $filters) as $item) {
            yield Settlement::fromArray($item);
        }
    }

    /**
     * Lists the changes of your available funds, newest first.
     *
     * @param list<string>|null $type
     * @return \Generator<int, BalanceEntry>
     */
    public function balanceEntries(
        ?array $type = null,
        ?\DateTimeInterface $createdFrom = null,
        ?\DateTimeInterface $createdTo = null,
        ?int $limit = null,
    ): \Generator {
        $filters = ['type' => $type] + Pages::filters(null, $createdFrom, $createdTo, $limit);
        foreach (Pages::read($this->transport, '/openapi/v1/balance/entries/list', $filters) as $item) {
            yield BalanceEntry::fromArray($item);
        }
    }

    /**
     * Reads any list of the Open API to its end, a page per call, as in /openapi/v1/collections/list.
     *
     * @param array<string, string|int|list<string>|null> $filters
     * @return \Generator<int, array<string, mixed>>
     */
    public function list(string $path, array $filters = []): \Generator
    {
        return Pages::read($this->transport, $path, $filters);
    }
}
