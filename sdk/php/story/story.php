<?php

/** The shared story (sdk/story/README.md), told by the library for PHP. */

declare(strict_types=1);

require __DIR__ . '/../src/autoload.php';

use Hengfu\CallbackEvent;
use Hengfu\Hengfu;
use Hengfu\HengfuException;
use Hengfu\Types\NewCollection;
use Hengfu\Types\NewPayout;
use Hengfu\Types\NewRefund;

const PATIENCE_SECONDS = 60;

set_error_handler(static function (int $_, string $message, string $file, int $line): never {
    throw new ErrorException($message, 0, E_ERROR, $file, $line);
});

/** The web server for callbacks (callbacks.php), and what it has received. */
final class Callbacks
{
    public int $refused = 0;
    public readonly string $url;
    /** @var resource */
    private $process;
    /** @var array<int, resource> */
    private array $pipes = [];
    /** @var list<CallbackEvent> */
    private array $events = [];

    public function __construct()
    {
        $this->process = proc_open([PHP_BINARY, __DIR__ . '/callbacks.php'], [1 => ['pipe', 'w']], $this->pipes);
        $this->url = trim(fgets($this->pipes[1]));
    }

    public function __destruct()
    {
        proc_terminate($this->process);
        proc_close($this->process);
    }

    /** Waits for a callback about a number of ours. */
    public function next(string $type, string $number): CallbackEvent
    {
        while (true) {
            foreach ($this->events as $event) {
                $numbers = [$event->data['out_trade_no'] ?? null, $event->data['out_refund_no'] ?? null];
                if ($event->type === $type && in_array($number, $numbers, true)) {
                    return $event;
                }
            }
            $readable = [$this->pipes[1]];
            $none = [];
            if (stream_select($readable, $none, $none, PATIENCE_SECONDS) === 0) {
                throw new RuntimeException("no $type");
            }
            $report = json_decode(fgets($this->pipes[1]), true, 32, JSON_THROW_ON_ERROR);
            if ($report === 'refused') {
                $this->refused++;
            } else {
                $this->events[] = new CallbackEvent(...$report);
            }
        }
    }
}

function expect(string $what, mixed $found, mixed $expected): void
{
    if ($found != $expected) {
        throw new RuntimeException("$what: " . json_encode($found) . ' instead of ' . json_encode($expected));
    }
}

function errorOf(callable $call): HengfuException
{
    try {
        $call();
    } catch (HengfuException $error) {
        return $error;
    }
    throw new RuntimeException('a call succeeded that must not');
}

function write(array $line): void
{
    fwrite(STDOUT, json_encode($line, JSON_THROW_ON_ERROR) . "\n");
}

$base = getenv('HENGFU_BASE');
$name = getenv('STORY_NAME');
$hengfu = new Hengfu($base, getenv('HENGFU_KEY'), getenv('HENGFU_SECRET'));
$callbacks = new Callbacks();

$newOrder = new NewCollection(
    outTradeNo: "$name-order",
    amount: '100.00',
    currency: 'CNY',
    notifyUrl: $callbacks->url,
);
$order = $hengfu->collections->create($newOrder);
expect('the repeated order', $hengfu->collections->create($newOrder)->tradeNo, $order->tradeNo);
write(['step' => 'pay', 'cashierUrl' => $order->cashierUrl, 'notifyUrl' => $callbacks->url]);

$paid = $callbacks->next('collection.paid', $order->outTradeNo)->collection();
expect('the paid order', [$paid->status, $paid->tradeNo], ['paid', $order->tradeNo]);
$deadline = microtime(true) + PATIENCE_SECONDS;
do {
    usleep(100_000);
    $found = $hengfu->collections->find($order->outTradeNo);
} while ($found->status !== 'success' && microtime(true) < $deadline);
expect('the state of the order', $found->status, 'success');
expect('the order by our number', $hengfu->collections->get($order->tradeNo), $found);

$newRefund = new NewRefund(
    outRefundNo: "$name-refund",
    tradeNo: $order->tradeNo,
    amount: '30.00',
    reason: '退一件',
);
$refund = $hengfu->refunds->create($newRefund);
expect('the repeated refund', $hengfu->refunds->create($newRefund)->refundNo, $refund->refundNo);
expect('the reason', $callbacks->next('refund.succeeded', "$name-refund")->refund()->reason, '退一件');
expect('the refund', $hengfu->refunds->find("$name-refund")->status, 'refunded');
$tooMuch = new NewRefund(outRefundNo: "$name-refund-2", tradeNo: $order->tradeNo, amount: '100.00');
$error = errorOf(static fn () => $hengfu->refunds->create($tooMuch));
expect(
    'the second refund',
    [$error->errorCode, $error->status, $error->details['left']],
    ['refund_exceeds', 409, '70.00'],
);

$payout = $hengfu->payouts->create(new NewPayout(
    outTradeNo: "$name-payout",
    amount: getenv('STORY_PAYOUT'),
    currency: 'CNY',
    channel: 'CN_BANK',
    payee: '王芳',
    payeeAccount: '6222021234567890128',
    bank: 'ICBC',
    bankName: '中国工商银行',
    notifyUrl: $callbacks->url,
));
expect('the payout', $callbacks->next('payout.processed', "$name-payout")->payout()->tradeNo, $payout->tradeNo);
expect('the payout by its number', $hengfu->payouts->find("$name-payout")->status, 'processed');

$error = errorOf(static fn () => $hengfu->collections->find("$name-unknown"));
expect('an unknown number', [$error->errorCode, $error->requestId !== null], ['not_found', true]);
$stranger = new Hengfu($base, getenv('HENGFU_KEY'), 'wrong');
expect('a wrong secret', errorOf(static fn () => $stranger->balance())->errorCode, 'signature_invalid');

if (getenv('STORY_LISTS') === '1') {
    $numbers = [];
    foreach ($hengfu->collections->list(limit: 1) as $each) {
        $numbers[] = $each->tradeNo;
        if (count($numbers) === 3) {
            break;
        }
    }
    expect('the first of the list', [$numbers[0], count(array_unique($numbers))], [$order->tradeNo, 3]);
    $entry = $hengfu->balanceEntries(type: ['payoutDeduction'], limit: 1)->current();
    expect('the newest deduction', $entry->subjectNo, $payout->tradeNo);
    expect('the newest settlement', $hengfu->settlements(status: ['settled'], limit: 1)->current()->status, 'settled');
}

write([
    'step' => 'done',
    'order' => $order->tradeNo,
    'refund' => $refund->refundNo,
    'payout' => $payout->tradeNo,
    'refused' => $callbacks->refused,
]);
