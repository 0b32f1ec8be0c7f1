package hengfu

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"
)

// Sign computes the value of X-Signature: the lower-case hex HMAC-SHA256 of the canonical text. Path and query are signed
// as they are sent; the timestamp is Unix time in seconds.
func Sign(secret, method, pathWithQuery, timestamp, nonce string, body []byte) string {
	bodyHash := sha256.Sum256(body)
	canonical := strings.Join([]string{method, pathWithQuery, timestamp, nonce, hex.EncodeToString(bodyHash[:])}, "\n")
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(canonical))
	return hex.EncodeToString(mac.Sum(nil))
}

// encode percent-encodes a text for a path or a query: every byte but letters, digits and "-._~".
func encode(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}
