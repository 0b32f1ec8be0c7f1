<?php

declare(strict_types=1);

namespace Hengfu;

/**
 * No reply arrived, so the outcome is unknown. Repeat the call under the same number, or look the order up: do not create
 * another one.
 */
final class ConnectionException extends \RuntimeException
{
    public function __construct(string $cause)
    {
        parent::__construct("no reply; the outcome is unknown ($cause)");
    }
}
