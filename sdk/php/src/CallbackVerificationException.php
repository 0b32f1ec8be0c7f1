<?php

declare(strict_types=1);

namespace Hengfu;

/** A request is not a genuine callback. Answer with status 401 and do nothing else. */
final class CallbackVerificationException extends \RuntimeException
{
    private const SENTENCES = [
        'missing_header' => 'a webhook-* header is missing',
        'timestamp_out_of_range' => "the timestamp is too far from this machine's clock",
        'no_matching_signature' => 'no signature matches: check the secret, and pass the raw body',
        'malformed_body' => 'the signed body is not an event',
    ];

    /** @param key-of<self::SENTENCES> $reason */
    public function __construct(public readonly string $reason)
    {
        parent::__construct(self::SENTENCES[$reason]);
    }
}
