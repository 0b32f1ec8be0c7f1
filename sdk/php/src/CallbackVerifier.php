<?php

declare(strict_types=1);

namespace Hengfu;

/** Tells genuine callbacks from other requests. */
final class CallbackVerifier
{
    /** @var list<string> */
    private array $keys = [];

    /**
     * @param string|list<string> $secrets the secret of your access key or endpoint, or several while you replace one
     * @param int $toleranceSeconds between a callback's timestamp and now
     */
    public function __construct(
        #[\SensitiveParameter] string|array $secrets,
        private readonly int $toleranceSeconds = 300,
    ) {
        foreach ((array) $secrets as $secret) {
            $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6), true) : $secret;
            if ($key === false || $key === '') {
                throw new \InvalidArgumentException('the secret must not be empty, or other than base64 after whsec_');
            }
            $this->keys[] = $key;
        }
    }

    /**
     * Returns the event of a genuine callback; throws CallbackVerificationException for any other request.
     *
     * @param array<string, string> $headers names in any case, as from getallheaders()
     * @param string $rawBody as it arrived, as from file_get_contents('php://input'): JSON that was parsed and written again
     *     has another signature
     * @param int|null $now Unix time in seconds; the clock's by default
     */
    public function verify(array $headers, string $rawBody, ?int $now = null): CallbackEvent
    {
        $headers = array_change_key_case($headers);
        $id = $headers['webhook-id'] ?? '';
        $timestamp = $headers['webhook-timestamp'] ?? '';
        $signatures = $headers['webhook-signature'] ?? '';
        if ($id === '' || $timestamp === '' || $signatures === '') {
            throw new CallbackVerificationException('missing_header');
        }
        $isNumber = preg_match('/^[0-9]{1,12}$/D', $timestamp) === 1;
        if (!$isNumber || abs(($now ?? time()) - (int) $timestamp) > $this->toleranceSeconds) {
            throw new CallbackVerificationException('timestamp_out_of_range');
        }
        if (!$this->isSigned("$id.$timestamp.$rawBody", $signatures)) {
            throw new CallbackVerificationException('no_matching_signature');
        }
        $event = json_decode($rawBody, true);
        if (!is_array($event) || !is_string($event['type'] ?? null) || !is_array($event['data'] ?? null)) {
            throw new CallbackVerificationException('malformed_body');
        }

        return new CallbackEvent($id, $event['type'], (string) ($event['timestamp'] ?? ''), $event['data']);
    }

    /** @return array<string, mixed> without the secrets */
    public function __debugInfo(): array
    {
        return ['toleranceSeconds' => $this->toleranceSeconds];
    }

    private function isSigned(string $signed, string $signatures): bool
    {
        foreach ($this->keys as $key) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
            foreach (explode(' ', $signatures) as $entry) {
                if (hash_equals($expected, $entry)) {
                    return true;
                }
            }
        }

        return false;
    }
}
