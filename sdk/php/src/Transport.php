<?php

declare(strict_types=1);

namespace Hengfu;

/**
 * Sends signed calls, and repeats those that may succeed later: the same text, newly signed.
 *
 * @internal
 */
final class Transport
{
    /** The version of the Open API that this library is written for. */
    private const API_VERSION = '2026-11-25';
    private const USER_AGENT = 'hengfu-php/0.1.0';
    private const MAX_DELAY_SECONDS = 30.0;
    /** The longest wait that the service may ask for; after a longer one the caller decides. */
    private const MAX_RETRY_AFTER_SECONDS = 60;

    private readonly string $base;

    public function __construct(
        string $base,
        private readonly string $key,
        #[\SensitiveParameter] private readonly string $secret,
        private readonly ?string $language,
        private readonly float $timeoutSeconds,
        private readonly int $maxRetries,
        private readonly float $retryDelaySeconds,
    ) {
        if ($key === '' || $secret === '') {
            throw new \InvalidArgumentException('key and secret must not be empty');
        }
        $this->base = self::checkedBase($base);
    }

    /**
     * @param array<string, string|int|null> $query values that are null are not sent
     * @return array<string, mixed>
     */
    public function send(
        string $method,
        string $path,
        array $query = [],
        ?\JsonSerializable $body = null,
        ?string $idempotencyKey = null,
    ): array {
        $text = http_build_query($query, '', '&', PHP_QUERY_RFC3986);
        $pathWithQuery = $text === '' ? $path : "$path?$text";
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES;
        $content = $body === null ? '' : json_encode($body, $flags);
        $isUnknown = false;
        for ($attempt = 0;; $attempt++) {
            try {
                return $this->attempt($method, $pathWithQuery, $content, $idempotencyKey);
            } catch (HengfuException | ConnectionException $error) {
                $isUnknown = self::isUnknownAfter($error, $isUnknown);
                $wait = self::waitBefore($error, $this->retryDelaySeconds * 2 ** $attempt);
                if ($wait === null || $attempt >= $this->maxRetries) {
                    throw $isUnknown && $error instanceof HengfuException
                        ? new ConnectionException($error->getMessage(), $error)
                        : $error;
                }
                usleep((int) ($wait * 1_000_000));
            }
        }
    }

    /** @return array<string, mixed> without the secret */
    public function __debugInfo(): array
    {
        return ['base' => $this->base, 'key' => $this->key];
    }

    /** @return array<string, mixed> */
    private function attempt(string $method, string $pathWithQuery, string $content, ?string $idempotencyKey): array
    {
        $headers = [];
        $handle = curl_init($this->base . $pathWithQuery);
        curl_setopt_array($handle, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $this->headers($method, $pathWithQuery, $content, $idempotencyKey),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            // As it stands: what is signed is what is sent.
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => (int) ($this->timeoutSeconds * 1000),
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$headers): int {
                [$name, $value] = array_pad(explode(':', $line, 2), 2, '');
                $headers[strtolower(trim($name))] = trim($value);

                return strlen($line);
            },
        ]);
        if ($content !== '') {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $content);
        }
        $text = curl_exec($handle);
        $status = (int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
        $fault = curl_error($handle);
        if (!is_string($text)) {
            throw new ConnectionException($fault);
        }

        return self::read($status, $headers, $text);
    }

    /** @return list<string> */
    private function headers(string $method, string $pathWithQuery, string $content, ?string $idempotencyKey): array
    {
        $timestamp = (string) time();
        $nonce = bin2hex(random_bytes(16));
        $headers = [
            'User-Agent: ' . self::USER_AGENT,
            'Hengfu-Version: ' . self::API_VERSION,
            'X-Key: ' . $this->key,
            'X-Timestamp: ' . $timestamp,
            'X-Nonce: ' . $nonce,
            'X-Signature: ' . Signature::sign($this->secret, $method, $pathWithQuery, $timestamp, $nonce, $content),
            // Curl would wait for a reply before it sends a longer body.
            'Expect:',
        ];
        if ($this->language !== null) {
            $headers[] = 'Accept-Language: ' . $this->language;
        }
        if ($idempotencyKey !== null) {
            $headers[] = 'Idempotency-Key: ' . $idempotencyKey;
        }
        if ($content !== '') {
            $headers[] = 'Content-Type: application/json';
        }
        foreach ($headers as $header) {
            if (preg_match('/[\r\n]/', $header) === 1) {
                throw new \InvalidArgumentException('a header must not contain line breaks');
            }
        }

        return $headers;
    }

    /** Returns the base without a slash at its end. Plain HTTP would show all orders to the network. */
    private static function checkedBase(string $base): string
    {
        $parts = parse_url($base) ?: [];
        $scheme = $parts['scheme'] ?? '';
        $host = $parts['host'] ?? '';
        $isLocal = preg_match('/^(localhost|127(\.\d+){3}|\[::1\])$/D', $host) === 1;
        if ($host === '' || !($scheme === 'https' || ($scheme === 'http' && $isLocal))) {
            throw new \InvalidArgumentException('base must begin with https://');
        }
        $isBare = in_array($parts['path'] ?? '', ['', '/'], true);
        if (!$isBare || isset($parts['query']) || isset($parts['fragment']) || isset($parts['user'])) {
            throw new \InvalidArgumentException('base must be a scheme and a host only');
        }

        return "$scheme://$host" . (isset($parts['port']) ? ":{$parts['port']}" : '');
    }

    /**
     * @param array<string, string> $headers
     * @return array<string, mixed>
     */
    private static function read(int $status, array $headers, string $text): array
    {
        $reply = json_decode($text, true);
        $isObject = is_array($reply) && ($reply === [] || !array_is_list($reply));
        if ($status >= 200 && $status < 300 && $isObject) {
            return $reply;
        }
        throw self::errorOf($status, $headers, $isObject ? $reply : []);
    }

    /**
     * @param array<string, string> $headers
     * @param array<string, mixed> $reply
     */
    private static function errorOf(int $status, array $headers, array $reply): HengfuException
    {
        $given = $headers['retry-after'] ?? '';
        $retryAfter = preg_match('/^[0-9]{1,9}$/D', $given) === 1 ? (int) $given : null;
        $requestId = $headers['x-request-id'] ?? null;
        $code = $reply['code'] ?? null;
        if (!is_string($code)) {
            $message = "the reply with status $status is not one of the service";

            return new HengfuException($status, 'unreadable_reply', $message, $requestId, [], [], $retryAfter);
        }
        $skew = $code === 'signature_expired' ? self::skewSentence($headers['date'] ?? '') : '';

        return new HengfuException(
            $status,
            $code,
            ($reply['message'] ?? '') . $skew,
            $reply['request_id'] ?? $requestId,
            $reply['details'] ?? [],
            $reply['errors'] ?? [],
            $retryAfter,
        );
    }

    /** Says how far this machine's clock is off, by the service's own. */
    private static function skewSentence(string $date): string
    {
        $theirs = $date === '' ? false : strtotime($date);
        if ($theirs === false) {
            return '';
        }
        $seconds = time() - $theirs;
        $direction = $seconds > 0 ? 'ahead of' : 'behind';

        return sprintf(" This machine's clock is %d s %s the service's: synchronize it (NTP).", abs($seconds), $direction);
    }

    /** Tells whether the outcome of a call is unknown after an attempt that failed. $wasUnknown: it was before that attempt. */
    private static function isUnknownAfter(HengfuException|ConnectionException $error, bool $wasUnknown): bool
    {
        return $error instanceof ConnectionException
            || $error->leavesOutcomeUnknown()
            || ($wasUnknown && !$error->isAboutOrder());
    }

    /** Returns the seconds to wait before another attempt; null if there must be none. */
    private static function waitBefore(HengfuException|ConnectionException $error, float $backoff): ?float
    {
        // At random between half and all of it, so that many callers do not return at once.
        $wait = min($backoff, self::MAX_DELAY_SECONDS) * random_int(500, 1000) / 1000;
        if ($error instanceof ConnectionException) {
            return $wait;
        }
        $retryAfter = $error->retryAfterSeconds ?? 0;
        if (!$error->isTemporary() || $retryAfter > self::MAX_RETRY_AFTER_SECONDS) {
            return null;
        }

        return max($wait, (float) $retryAfter);
    }
}
