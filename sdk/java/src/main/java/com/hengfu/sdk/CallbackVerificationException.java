package com.hengfu.sdk;

/** A request is not a genuine callback. Answer with status 401 and do nothing else. */
public final class CallbackVerificationException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why it is not. */
    public enum Reason {
        MISSING_HEADER("a webhook-* header is missing"),
        TIMESTAMP_OUT_OF_RANGE("the timestamp is too far from this machine's clock"),
        NO_MATCHING_SIGNATURE("no signature matches: check the secret, and pass the raw body"),
        MALFORMED_BODY("the signed body is not an event");

        private final String sentence;

        Reason(String sentence) {
            this.sentence = sentence;
        }
    }

    private final Reason reason;

    CallbackVerificationException(Reason reason) {
        super(reason.sentence);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
