<?php

declare(strict_types=1);

use Hengfu\ConnectionException;
use Hengfu\Hengfu;
use Hengfu\HengfuException;
use Hengfu\Signature;
use Hengfu\Types\Collection;
use Hengfu\Types\NewCollection;
use PHPUnit\Framework\TestCase;

final class ClientTest extends TestCase
{
    private const KEY = 'ak_test';
    private const SECRET = 'sk_test';

    /** @var resource */
    private $process;
    /** @var array<int, resource> */
    private array $pipes = [];

    /** Starts a service that gives these replies, and returns a client of it. */
    private function start(array $replies): Hengfu
    {
        $command = [PHP_BINARY, __DIR__ . '/service.php', json_encode($replies, JSON_THROW_ON_ERROR)];
        $this->process = proc_open($command, [1 => ['pipe', 'w']], $this->pipes);
        $base = 'http://127.0.0.1:' . trim(fgets($this->pipes[1]));

        return new Hengfu($base, self::KEY, self::SECRET, maxRetries: 2, retryDelaySeconds: 0.002);
    }

    /** Stops the service, and returns the requests that arrived. */
    private function stop(): array
    {
        proc_terminate($this->process);
        $lines = array_filter(explode("\n", stream_get_contents($this->pipes[1])));
        proc_close($this->process);

        return array_map(static fn (string $line): array => json_decode($line, true), array_values($lines));
    }

    public static function exchanges(): iterable
    {
        $vectors = vectors('exchanges');
        foreach ($vectors['exchanges'] as $each) {
            yield $each['name'] => [$each, $vectors];
        }
    }

    /** @dataProvider exchanges */
    public function testRetriesWhatMaySucceedLaterAndNothingElse(array $exchange, array $vectors): void
    {
        $written = json_encode($vectors['reply'], JSON_THROW_ON_ERROR);
        $client = $this->start(array_map(
            static fn ($reply) => $reply === 'drop' || $reply['body'] !== '$order' ? $reply : ['body' => $written] + $reply,
            $exchange['replies'],
        ));
        $order = $vectors['order'];
        try {
            $new = new NewCollection($order['out_trade_no'], $order['amount'], $order['currency']);
            $result = $client->collections->create($new, 'k-1');
        } catch (HengfuException | ConnectionException $error) {
            $result = $error;
        }
        $this->assertSigned($this->stop(), $exchange['attempts'], $order);
        $this->assertOutcome($result, $exchange['outcome']);
        if (isset($exchange['cause'])) {
            $this->assertOutcome($result->getPrevious(), $exchange['cause']);
        }
    }

    private function assertSigned(array $arrived, int $attempts, array $order): void
    {
        self::assertCount($attempts, $arrived);
        $nonces = [];
        foreach ($arrived as ['method' => $method, 'path' => $path, 'headers' => $headers, 'body' => $body]) {
            $nonces[$headers['x-nonce']] = true;
            $signature = Signature::sign(
                self::SECRET,
                $method,
                $path,
                $headers['x-timestamp'],
                $headers['x-nonce'],
                $body,
            );
            self::assertSame($signature, $headers['x-signature']);
            self::assertSame('k-1', $headers['idempotency-key']);
            self::assertSame(['POST', '/openapi/v1/collections'], [$method, $path]);
            self::assertSame($order, json_decode($body, true));
            self::assertSame($arrived[0]['body'], $body);
        }
        self::assertCount($attempts, $nonces);
    }

    private function assertOutcome(object $result, string|array $outcome): void
    {
        if ($outcome === 'ok') {
            self::assertInstanceOf(Collection::class, $result);
            self::assertSame('C261120160000618033989', $result->tradeNo);
            self::assertSame(['aStateToCome', null], [$result->status, $result->paidAt]);
            self::assertSame('2026-11-20T16:00:00.412Z', $result->createdAt->format('Y-m-d\TH:i:s.v\Z'));
        } elseif ($outcome === 'connection') {
            self::assertInstanceOf(ConnectionException::class, $result);
        } else {
            self::assertInstanceOf(HengfuException::class, $result);
            foreach ($outcome as $name => $value) {
                match ($name) {
                    'messageHas' => self::assertStringContainsString($value, $result->getMessage()),
                    'message' => self::assertSame($value, $result->getMessage()),
                    'code' => self::assertSame($value, $result->errorCode),
                    'isRateLimit' => self::assertSame($value, $result->isRateLimit()),
                    'isTemporary' => self::assertSame($value, $result->isTemporary()),
                    default => self::assertSame($value, $result->$name),
                };
            }
        }
    }

    public function testReadsListsPageByPage(): void
    {
        ['pages' => $pages, 'reply' => $reply] = vectors('exchanges');
        $replies = array_map(
            static fn (int $count, ?string $cursor): array => [
                'status' => 200,
                'body' => json_encode(['items' => array_fill(0, $count, $reply), 'next_cursor' => $cursor]),
            ],
            $pages['items'],
            $pages['cursors'],
        );
        $client = $this->start($replies);
        $items = iterator_to_array($client->collections->list(status: ['paid', 'success'], limit: 2), false);
        self::assertCount(3, $items);
        self::assertSame($reply['trade_no'], $items[2]->tradeNo);
        self::assertSame([$pages['first'], ...$pages['others']], array_column($this->stop(), 'path'));

        $client = $this->start($replies);
        self::assertSame($reply['trade_no'], $client->collections->list(limit: 2)->current()->tradeNo);
        self::assertCount(1, $this->stop());
    }

    public function testSendsNoFilterThatIsEmpty(): void
    {
        ['filters' => $filters, 'first' => $first] = vectors('exchanges')['pages']['empty'];
        $client = $this->start([['status' => 200, 'body' => '{"items":[],"next_cursor":null}']]);
        $items = $client->collections->list(status: $filters['status'], limit: $filters['limit']);
        self::assertSame([], iterator_to_array($items, false));
        self::assertSame([$first], array_column($this->stop(), 'path'));
    }

    public function testAcceptsPlainHttpOnThisMachineOnly(): void
    {
        $refused = 0;
        $bases = ['http://pay.example', 'ftp://127.0.0.1', 'https://pay.example/path', 'https://', 'pay.example'];
        foreach ($bases as $base) {
            try {
                new Hengfu($base, self::KEY, self::SECRET);
            } catch (InvalidArgumentException) {
                $refused++;
            }
        }
        self::assertSame(count($bases), $refused);
        self::assertInstanceOf(Hengfu::class, new Hengfu('http://[::1]:8080/', self::KEY, self::SECRET));
        $this->expectException(InvalidArgumentException::class);
        new Hengfu('https://pay.example', self::KEY, '');
    }

    public function testShowsNoSecret(): void
    {
        $client = new Hengfu('https://pay.example', self::KEY, self::SECRET);
        self::assertStringNotContainsString(self::SECRET, print_r($client, true));
    }

    public function testLetsNoHeaderThrough(): void
    {
        $client = new Hengfu('https://pay.example', self::KEY, self::SECRET);
        $this->expectException(InvalidArgumentException::class);
        $client->collections->cancel('C1', "k\r\nX-Other: 1");
    }
}
