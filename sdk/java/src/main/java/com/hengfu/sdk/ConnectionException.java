package com.hengfu.sdk;

/**
 * The outcome of the call is unknown: no reply arrived, the service failed (5xx), the reply was not the service's own, or the call
 * was still in progress after the last retry; or a retry after such an attempt was refused before the service looked the order up.
 * Repeat the call under the same number, or look the order up: do not create another one. The cause is the {@link HengfuException}
 * of the last reply, if one arrived.
 */
public final class ConnectionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConnectionException(Throwable cause) {
        super("the outcome is unknown (" + cause + ")", cause);
    }
}
