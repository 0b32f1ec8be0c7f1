package hengfu

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Error says that the service refused a call. Depend on Code, never on the message.
type Error struct {
	// Status is the HTTP status.
	Status int
	// Code is stable, as in "insufficient_funds"; "unreadable_reply" if the reply was not the service's own.
	Code string
	// Message is a sentence for people.
	Message string
	// RequestID names the request to our support team.
	RequestID string
	// Details are data about the error, such as "left" of "refund_exceeds".
	Details map[string]json.RawMessage
	// Errors are messages by field, with "validation_failed".
	Errors map[string][]string
	// RetryAfterSeconds is how long to wait; 0 if the service did not say.
	RetryAfterSeconds int
}

// Error returns the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// IsRateLimit reports whether you called too often.
func (e *Error) IsRateLimit() bool { return e.Status == 429 }

// IsTemporary reports whether the same call, under the same number, may succeed later.
func (e *Error) IsTemporary() bool {
	return e.Status == 429 || e.Status >= 500 || e.isAboutEarlierAttempt()
}

// isAboutEarlierAttempt reports whether the service has only said that the call arrived before: an attempt is still in
// progress, or an HTTP client or a proxy has sent the request again. The outcome of that attempt is unknown.
func (e *Error) isAboutEarlierAttempt() bool {
	return e.Code == "idempotency_in_flight" || e.Code == "nonce_replayed"
}

// leavesOutcomeUnknown reports whether a reply leaves open if the call was carried out: the service failed, the reply is not
// its own, or it is about an earlier attempt.
func (e *Error) leavesOutcomeUnknown() bool {
	// These two are given before anything has changed.
	hasFailed := e.Status >= 500 && e.Code != "channel_unavailable" && e.Code != "archive_unreadable"
	return hasFailed || e.Code == "unreadable_reply" || e.isAboutEarlierAttempt()
}

// isAboutOrder reports whether the service refused the call after it had looked the order up: then no earlier attempt was
// carried out. All other refusals, such as 401, 403, 422 and 429, come before that, and say nothing about earlier attempts.
func (e *Error) isAboutOrder() bool { return e.Status == 404 || e.Status == 409 }

// ConnectionError says that the outcome of the call is unknown: no reply arrived, the service failed (5xx), the reply was not
// the service's own, or the call was still in progress after the last retry; or a retry after such an attempt was refused
// before the service looked the order up. Repeat the call under the same number, or look the order up: do not create
// another one.
type ConnectionError struct {
	// Reply is the error of the last reply; nil if none arrived. It is not in the chain, where errors.As would find a refusal.
	Reply *Error
	cause error
}

// Error returns a sentence.
func (e *ConnectionError) Error() string {
	return fmt.Sprintf("the outcome is unknown (%v)", e.cause)
}

// Unwrap returns the cause.
func (e *ConnectionError) Unwrap() error { return e.cause }

// Reasons why a request is not a genuine callback. Answer with status 401 and do nothing else.
var (
	ErrMissingHeader       = errors.New("hengfu: a webhook-* header is missing")
	ErrTimestampOutOfRange = errors.New("hengfu: the timestamp is too far from this machine's clock")
	ErrNoMatchingSignature = errors.New("hengfu: no signature matches: check the secret, and pass the raw body")
	ErrMalformedBody       = errors.New("hengfu: the signed body is not an event")
)
