package com.hengfu.sdk;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The service refused a call. Depend on the code, never on the message. */
public final class HengfuException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    /** Codes with a status of 5xx that the service gives before it has changed anything. */
    private static final Set<String> CODES_BEFORE_CHANGES = Set.of("channel_unavailable", "archive_unreadable");

    private final int status;
    private final String code;
    private final String requestId;
    private final transient Map<String, Object> details;
    private final transient Map<String, List<String>> errors;
    private final Integer retryAfterSeconds;

    HengfuException(
            int status,
            String code,
            String message,
            String requestId,
            Map<String, Object> details,
            Map<String, List<String>> errors,
            Integer retryAfterSeconds) {
        super(code + ": " + message);
        this.status = status;
        this.code = code;
        this.requestId = requestId;
        this.details = details;
        this.errors = errors;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    /** Creates the error for a reply that is not the service's own. */
    public static HengfuException unreadable(
            int status, String message, String requestId, Integer retryAfterSeconds) {
        return new HengfuException(
                status, "unreadable_reply", message, requestId, Map.of(), Map.of(), retryAfterSeconds);
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns a stable code, as in {@code insufficient_funds}; {@code unreadable_reply} if the reply was not the service's own. */
    public String code() {
        return code;
    }

    /** Returns the name of the request, for our support team; null if the reply had none. */
    public String requestId() {
        return requestId;
    }

    /** Returns data about the error, such as {@code left} of {@code refund_exceeds}. */
    public Map<String, Object> details() {
        return details;
    }

    /** Returns messages by field, with {@code validation_failed}. */
    public Map<String, List<String>> errors() {
        return errors;
    }

    /** Returns how long to wait; null if the service did not say. */
    public Integer retryAfterSeconds() {
        return retryAfterSeconds;
    }

    /** Tells whether you called too often. */
    public boolean isRateLimit() {
        return status == 429;
    }

    /** Tells whether the same call, under the same number, may succeed later. */
    public boolean isTemporary() {
        return status == 429 || status >= 500 || isAboutEarlierAttempt();
    }

    /**
     * Tells whether the service has only said that the call arrived before: an attempt is still in progress, or an HTTP client or a
     * proxy has sent the request again, as Java's own client may. The outcome of that attempt is unknown.
     */
    boolean isAboutEarlierAttempt() {
        return code.equals("idempotency_in_flight") || code.equals("nonce_replayed");
    }

    /**
     * Tells whether a reply leaves open if the call was carried out: the service failed, the reply is not its own, or it is about an
     * earlier attempt.
     */
    boolean leavesOutcomeUnknown() {
        boolean hasFailed = status >= 500 && !CODES_BEFORE_CHANGES.contains(code);
        return hasFailed || code.equals("unreadable_reply") || isAboutEarlierAttempt();
    }

    /**
     * Tells whether the service refused the call after it had looked the order up: then no earlier attempt was carried out. All other
     * refusals, such as 401, 403, 422 and 429, come before that, and say nothing about earlier attempts.
     */
    boolean isAboutOrder() {
        return status == 404 || status == 409;
    }
}
