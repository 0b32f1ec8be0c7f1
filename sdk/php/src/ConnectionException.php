<?php

declare(strict_types=1);

namespace Hengfu;

/**
 * No reply to the call arrived, or it was still in progress after the last retry, so the outcome is unknown. Repeat the call
 * under the same number, or look the order up: do not create another one.
 */
final class ConnectionException extends \RuntimeException
{
    public function __construct(string $cause, ?HengfuException $previous = null)
    {
        parent::__construct("no reply; the outcome is unknown ($cause)", 0, $previous);
    }
}
