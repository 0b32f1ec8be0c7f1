<?php

declare(strict_types=1);

namespace Hengfu;

/** Signatures of calls. */
final class Signature
{
    /**
     * Computes the value of X-Signature: the lower-case hex HMAC-SHA256 of the canonical text.
     *
     * @param string $pathWithQuery as it is sent
     * @param string $timestamp Unix time in seconds
     */
    public static function sign(
        #[\SensitiveParameter] string $secret,
        string $method,
        string $pathWithQuery,
        string $timestamp,
        string $nonce,
        string $body,
    ): string {
        $canonical = implode("\n", [$method, $pathWithQuery, $timestamp, $nonce, hash('sha256', $body)]);

        return hash_hmac('sha256', $canonical, $secret);
    }
}
