package com.hengfu.sdk;

/**
 * No reply to the call arrived, or it was still in progress after the last retry, so the outcome is unknown. Repeat the call
 * under the same number, or look the order up: do not create another one.
 */
public final class ConnectionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConnectionException(Throwable cause) {
        super("no reply; the outcome is unknown (" + cause + ")", cause);
    }
}
