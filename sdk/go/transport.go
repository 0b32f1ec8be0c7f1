package hengfu

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"
)

// apiVersion is the version of the Open API that this library is written for.
const apiVersion = "2026-11-25"

const (
	maxDelay = 30 * time.Second
	// maxRetryAfter is the longest wait that the service may ask for, in seconds; after a longer one the caller decides.
	maxRetryAfter = 60
)

type transport struct {
	base       string
	key        string
	secret     string
	language   string
	http       *http.Client
	maxRetries int
	retryDelay time.Duration
}

type idempotencyKey struct{}

var visibleASCII = regexp.MustCompile(`^[\x21-\x7e]{1,64}$`)

// WithIdempotencyKey returns a context whose calls send an Idempotency-Key, the same on every attempt: 1–64 visible ASCII
// characters. Use it for one call only.
func WithIdempotencyKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, key)
}

func newTransport(base, key, secret string) (*transport, error) {
	if !visibleASCII.MatchString(key) || secret == "" {
		return nil, errors.New("hengfu: the key is no access key, or the secret is empty")
	}
	parsed, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	// Plain HTTP would show all orders to the network.
	host := parsed.Hostname()
	ip := net.ParseIP(host)
	isLocal := host == "localhost" || (ip != nil && ip.IsLoopback())
	if host == "" || !(parsed.Scheme == "https" || (parsed.Scheme == "http" && isLocal)) {
		return nil, errors.New("hengfu: base must begin with https://")
	}
	if (parsed.Path != "" && parsed.Path != "/") || parsed.RawQuery != "" || parsed.Fragment != "" || parsed.User != nil {
		return nil, errors.New("hengfu: base must be a scheme and a host only")
	}
	noRedirects := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &transport{
		base:       parsed.Scheme + "://" + parsed.Host,
		key:        key,
		secret:     secret,
		http:       &http.Client{Timeout: time.Minute, CheckRedirect: noRedirects},
		maxRetries: 4,
		retryDelay: time.Second,
	}, nil
}

// send sends a call until it has a reply that is final: the same text each time, newly signed.
func (t *transport) send(ctx context.Context, method, pathWithQuery string, body []byte) ([]byte, error) {
	isUnknown := false
	for attempt := 0; ; attempt++ {
		reply, err := t.attempt(ctx, method, pathWithQuery, body)
		if err == nil {
			return reply, nil
		}
		isUnknown = isUnknownAfter(err, isUnknown)
		wait, mayRetry := waitBefore(err, t.backoff(attempt))
		if !mayRetry || attempt >= t.maxRetries || ctx.Err() != nil {
			return nil, finalError(err, isUnknown)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, finalError(err, isUnknown)
		}
	}
}

// isUnknownAfter reports whether the outcome of a call is unknown after an attempt that failed, given whether it was before.
func isUnknownAfter(err error, wasUnknown bool) bool {
	var connection *ConnectionError
	if errors.As(err, &connection) {
		return true
	}
	var refusal *Error
	if !errors.As(err, &refusal) {
		return wasUnknown
	}
	return refusal.leavesOutcomeUnknown() || (wasUnknown && !refusal.isAboutOrder())
}

// finalError returns the error for the caller.
func finalError(err error, isUnknown bool) error {
	var refusal *Error
	if isUnknown && errors.As(err, &refusal) {
		return &ConnectionError{Reply: refusal, cause: errors.New(refusal.Error())}
	}
	return err
}

func (t *transport) attempt(ctx context.Context, method, pathWithQuery string, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, t.base+pathWithQuery, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return nil, err
	}
	timestamp, nonce := strconv.FormatInt(time.Now().Unix(), 10), hex.EncodeToString(random)
	request.Header.Set("User-Agent", "hengfu-go/"+Version)
	request.Header.Set("Hengfu-Version", apiVersion)
	request.Header.Set("X-Key", t.key)
	request.Header.Set("X-Timestamp", timestamp)
	request.Header.Set("X-Nonce", nonce)
	request.Header.Set("X-Signature", Sign(t.secret, method, pathWithQuery, timestamp, nonce, body))
	if t.language != "" {
		request.Header.Set("Accept-Language", t.language)
	}
	if key, ok := ctx.Value(idempotencyKey{}).(string); ok {
		if !visibleASCII.MatchString(key) {
			return nil, errors.New("hengfu: an idempotency key is 1–64 visible ASCII characters")
		}
		// Not by Set, which spells it in the way that Go recognizes; see below.
		request.Header["idempotency-key"] = []string{key}
	}
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	// When a connection ends before its reply, Go itself sends some requests again, with the same nonce, which would be refused:
	// those whose body it can read again or that have none, if they are GETs or have a header spelled "Idempotency-Key".
	request.GetBody = nil
	if method == http.MethodGet {
		request.Body = io.NopCloser(bytes.NewReader(nil))
	}
	response, err := t.http.Do(request)
	if err != nil {
		return nil, &ConnectionError{cause: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, &ConnectionError{cause: err}
	}
	return read(response, text)
}

func read(response *http.Response, text []byte) ([]byte, error) {
	var reply map[string]json.RawMessage
	isObject := json.Unmarshal(text, &reply) == nil && reply != nil
	if response.StatusCode >= 200 && response.StatusCode < 300 && isObject {
		return text, nil
	}
	return nil, errorOf(response, text)
}

var digits = regexp.MustCompile(`^[0-9]{1,9}$`)

func errorOf(response *http.Response, text []byte) *Error {
	var reply struct {
		Code      string                     `json:"code"`
		Message   string                     `json:"message"`
		RequestID string                     `json:"request_id"`
		Details   map[string]json.RawMessage `json:"details"`
		Errors    map[string][]string        `json:"errors"`
	}
	err := json.Unmarshal(text, &reply)
	e := &Error{Status: response.StatusCode, RequestID: response.Header.Get("X-Request-Id")}
	if after := response.Header.Get("Retry-After"); digits.MatchString(after) {
		e.RetryAfterSeconds, _ = strconv.Atoi(after)
	}
	if err != nil || reply.Code == "" {
		e.Code = "unreadable_reply"
		e.Message = fmt.Sprintf("the reply with status %d is not one of the service", e.Status)
		return e
	}
	e.Code, e.Message, e.Details, e.Errors = reply.Code, reply.Message, reply.Details, reply.Errors
	if reply.RequestID != "" {
		e.RequestID = reply.RequestID
	}
	if e.Code == "signature_expired" {
		e.Message += skewSentence(response.Header.Get("Date"))
	}
	return e
}

// skewSentence says how far this machine's clock is off, by the service's own.
func skewSentence(date string) string {
	theirs, err := http.ParseTime(date)
	if err != nil {
		return ""
	}
	seconds := math.Round(time.Since(theirs).Seconds())
	direction := "behind"
	if seconds > 0 {
		direction = "ahead of"
	}
	return fmt.Sprintf(" This machine's clock is %.0f s %s the service's: synchronize it (NTP).", math.Abs(seconds), direction)
}

// backoff returns the delay after an attempt: doubled for each one, up to the longest.
func (t *transport) backoff(attempt int) time.Duration {
	delay := t.retryDelay
	for ; attempt > 0 && delay < maxDelay; attempt-- {
		delay *= 2
	}
	if delay > maxDelay {
		return maxDelay
	}
	return delay
}

// waitBefore returns how long to wait before another attempt, and whether there may be one.
func waitBefore(err error, backoff time.Duration) (time.Duration, bool) {
	// At random between half and all of it, so that many callers do not return at once.
	wait := backoff/2 + randomUpTo(backoff/2)
	var connection *ConnectionError
	if errors.As(err, &connection) {
		return wait, true
	}
	var refusal *Error
	if !errors.As(err, &refusal) || !refusal.IsTemporary() || refusal.RetryAfterSeconds > maxRetryAfter {
		return 0, false
	}
	if asked := time.Duration(refusal.RetryAfterSeconds) * time.Second; asked > wait {
		wait = asked
	}
	return wait, true
}

func randomUpTo(limit time.Duration) time.Duration {
	number, err := rand.Int(rand.Reader, big.NewInt(int64(limit)+1))
	if err != nil {
		return limit
	}
	return time.Duration(number.Int64())
}
