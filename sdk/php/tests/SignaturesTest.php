<?php

declare(strict_types=1);

use Hengfu\CallbackVerificationException;
use Hengfu\CallbackVerifier;
use Hengfu\Signature;
use PHPUnit\Framework\TestCase;

final class SignaturesTest extends TestCase
{
    public static function requests(): iterable
    {
        foreach (vectors('requests')['requests'] as $each) {
            yield $each['name'] => [$each];
        }
    }

    /** @dataProvider requests */
    public function testSignsAsTheServiceDoes(array $each): void
    {
        $signature = Signature::sign(
            $each['secret'],
            $each['method'],
            $each['pathWithQuery'],
            $each['timestamp'],
            $each['nonce'],
            $each['body'],
        );
        self::assertSame($each['signature'], $signature);
    }

    public function testEncodesEveryByteThatIsNotUnreserved(): void
    {
        foreach (vectors('requests')['encodings'] as ['text' => $text, 'encoded' => $encoded]) {
            self::assertSame($encoded, rawurlencode($text));
            self::assertSame("n=$encoded", http_build_query(['n' => $text], '', '&', PHP_QUERY_RFC3986));
        }
    }

    public static function callbacks(): iterable
    {
        foreach (vectors('callbacks')['callbacks'] as $each) {
            yield $each['name'] => [$each];
        }
    }

    /** @dataProvider callbacks */
    public function testJudgesCallbacks(array $each): void
    {
        $outcome = 'ok';
        try {
            $event = (new CallbackVerifier($each['secrets']))->verify($each['headers'], $each['body'], $each['now']);
            self::assertSame(json_decode($each['body'], true)['data'], $event->data);
            self::assertNotSame('', $event->id);
        } catch (CallbackVerificationException $error) {
            $outcome = $error->reason;
        }
        self::assertSame($each['outcome'], $outcome);
    }

    public static function refusedSecrets(): iterable
    {
        foreach (vectors('callbacks')['refusedSecrets'] as $each) {
            yield $each => [$each];
        }
    }

    /** @dataProvider refusedSecrets */
    public function testRefusesSecretsWithoutAKey(string $refused): void
    {
        $this->expectException(InvalidArgumentException::class);
        new CallbackVerifier(['sk_test', $refused]);
    }

    public function testShowsNoSecret(): void
    {
        self::assertStringNotContainsString('sk_test', print_r(new CallbackVerifier('sk_test'), true));
    }
}
