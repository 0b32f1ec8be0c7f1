<?php

declare(strict_types=1);

namespace Hengfu;

/**
 * The outcome of the call is unknown: no reply arrived, the service failed (5xx), the reply was not the service's own, or the
 * call was still in progress after the last retry; or a retry after such an attempt was refused before the service looked the
 * order up. Repeat the call under the same number, or look the order up: do not create another one. getPrevious() is the
 * HengfuException of the last reply, if one arrived.
 */
final class ConnectionException extends \RuntimeException
{
    public function __construct(string $cause, ?HengfuException $previous = null)
    {
        parent::__construct("the outcome is unknown ($cause)", 0, $previous);
    }
}
