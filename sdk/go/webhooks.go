package hengfu

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// CallbackEvent is a genuine callback.
type CallbackEvent struct {
	// ID is webhook-id: the same on every attempt. Store it, and answer a repeated one with 2xx.
	ID string `json:"-"`
	// Type is as in "collection.paid". Ignore types that you do not know.
	Type string `json:"type"`
	// Timestamp is when it happened, ISO 8601.
	Timestamp string `json:"timestamp"`
	// Data is the order, payout or refund as it was then. Unmarshal it into Collection, Payout or Refund.
	Data json.RawMessage `json:"data"`
}

// Verifier tells genuine callbacks from other requests.
type Verifier struct {
	keys [][]byte
	// Tolerance between a callback's timestamp and now; 5 minutes by default.
	Tolerance time.Duration
	// Now returns the time; time.Now by default.
	Now func() time.Time
}

// NewVerifier returns a verifier for the secret of your access key or endpoint, or for several while you replace one.
func NewVerifier(secrets ...string) (*Verifier, error) {
	v := &Verifier{Tolerance: 5 * time.Minute, Now: time.Now}
	for _, secret := range secrets {
		key := []byte(secret)
		if strings.HasPrefix(secret, "whsec_") {
			var err error
			if key, err = base64.StdEncoding.DecodeString(secret[len("whsec_"):]); err != nil {
				return nil, errors.New("hengfu: the secret after whsec_ is not base64")
			}
		}
		if len(key) == 0 {
			return nil, errors.New("hengfu: the secret must not be empty")
		}
		v.keys = append(v.keys, key)
	}
	return v, nil
}

var unixSeconds = regexp.MustCompile(`^[0-9]{1,12}$`)

// Verify returns the event of a genuine callback, and an error for any other request: ErrMissingHeader,
// ErrTimestampOutOfRange, ErrNoMatchingSignature or ErrMalformedBody. The raw body is the body as it arrived: JSON that was
// parsed and written again has another signature.
func (v *Verifier) Verify(header http.Header, rawBody []byte) (CallbackEvent, error) {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	signatures := header.Get("webhook-signature")
	if id == "" || timestamp == "" || signatures == "" {
		return CallbackEvent{}, ErrMissingHeader
	}
	if !unixSeconds.MatchString(timestamp) {
		return CallbackEvent{}, ErrTimestampOutOfRange
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	age := v.Now().Sub(time.Unix(seconds, 0))
	if err != nil || age > v.Tolerance || age < -v.Tolerance {
		return CallbackEvent{}, ErrTimestampOutOfRange
	}
	if !v.isSigned(id+"."+timestamp+".", rawBody, signatures) {
		return CallbackEvent{}, ErrNoMatchingSignature
	}
	var event CallbackEvent
	if err := json.Unmarshal(rawBody, &event); err != nil || event.Type == "" || !strings.HasPrefix(string(event.Data), "{") {
		return CallbackEvent{}, ErrMalformedBody
	}
	event.ID = id
	return event, nil
}

func (v *Verifier) isSigned(prefix string, rawBody []byte, signatures string) bool {
	for _, key := range v.keys {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(prefix))
		mac.Write(rawBody)
		expected := mac.Sum(nil)
		for _, entry := range strings.Split(signatures, " ") {
			if !strings.HasPrefix(entry, "v1,") {
				continue
			}
			given, err := base64.StdEncoding.DecodeString(entry[len("v1,"):])
			if err == nil && hmac.Equal(given, expected) {
				return true
			}
		}
	}
	return false
}
