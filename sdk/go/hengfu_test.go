package hengfu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

func readVectors(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile("../vectors/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func TestSignsAsTheServiceDoes(t *testing.T) {
	var vectors struct {
		Requests []struct {
			Name, Method, PathWithQuery, Timestamp, Nonce, Secret, Body, Signature string
		}
		Encodings []struct{ Text, Encoded string }
	}
	readVectors(t, "requests", &vectors)
	if len(vectors.Requests) == 0 || len(vectors.Encodings) == 0 {
		t.Fatal("no vectors")
	}
	for _, each := range vectors.Requests {
		found := Sign(each.Secret, each.Method, each.PathWithQuery, each.Timestamp, each.Nonce, []byte(each.Body))
		if found != each.Signature {
			t.Errorf("%s: %s", each.Name, found)
		}
	}
	for _, each := range vectors.Encodings {
		if found := encode(each.Text); found != each.Encoded {
			t.Errorf("%s: %s", each.Text, found)
		}
	}
}

func TestJudgesCallbacks(t *testing.T) {
	var vectors struct {
		Callbacks []struct {
			Name    string
			Secrets []string
			Headers map[string]string
			Body    string
			Now     int64
			Outcome string
		}
		RefusedSecrets []string
	}
	readVectors(t, "callbacks", &vectors)
	outcomes := map[string]error{
		"ok":                     nil,
		"missing_header":         ErrMissingHeader,
		"timestamp_out_of_range": ErrTimestampOutOfRange,
		"no_matching_signature":  ErrNoMatchingSignature,
		"malformed_body":         ErrMalformedBody,
	}
	if len(vectors.Callbacks) == 0 || len(vectors.RefusedSecrets) == 0 {
		t.Fatal("no vectors")
	}
	for _, each := range vectors.Callbacks {
		verifier, err := NewVerifier(each.Secrets...)
		if err != nil {
			t.Fatal(err)
		}
		verifier.Now = func() time.Time { return time.Unix(each.Now, 0) }
		header := http.Header{}
		for name, value := range each.Headers {
			header.Set(name, value)
		}
		expected, known := outcomes[each.Outcome]
		event, err := verifier.Verify(header, []byte(each.Body))
		if !known || err != expected {
			t.Errorf("%s: %v instead of %s", each.Name, err, each.Outcome)
		}
		if err == nil && (event.ID != header.Get("webhook-id") || event.Type == "" || len(event.Data) < 2) {
			t.Errorf("%s: %+v", each.Name, event)
		}
	}
	for _, each := range vectors.RefusedSecrets {
		if _, err := NewVerifier("sk_test", each); err == nil {
			t.Errorf("the secret %q was accepted", each)
		}
	}
}

type reply struct {
	isDrop  bool
	Status  int
	Headers map[string]string
	Body    string
}

func (r *reply) UnmarshalJSON(text []byte) error {
	if string(text) == `"drop"` {
		r.isDrop = true
		return nil
	}
	type plain reply
	return json.Unmarshal(text, (*plain)(r))
}

type arrivedRequest struct {
	method, path, body string
	header             http.Header
}

var exchangeVectors struct {
	Order struct {
		OutTradeNo string `json:"out_trade_no"`
		Amount     string
		Currency   string
	}
	Reply     json.RawMessage
	Exchanges []struct {
		Name     string
		Replies  []reply
		Attempts int
		Outcome  json.RawMessage
		Cause    json.RawMessage
	}
	Pages struct {
		First   string
		Others  []string
		Cursors []*string
		Items   []int
		Empty   struct{ First string }
	}
}

// startService starts a server that gives one reply after the other, and keeps the requests.
func startService(t *testing.T, replies []reply) (*Client, *[]arrivedRequest) {
	t.Helper()
	arrived := &[]arrivedRequest{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		*arrived = append(*arrived, arrivedRequest{request.Method, request.RequestURI, string(body), request.Header})
		if len(*arrived) > len(replies) {
			w.WriteHeader(500)
			return
		}
		next := replies[len(*arrived)-1]
		if next.isDrop {
			panic(http.ErrAbortHandler)
		}
		for name, value := range next.Headers {
			w.Header().Set(name, value)
		}
		w.WriteHeader(next.Status)
		io.WriteString(w, strings.Replace(next.Body, "$order", string(exchangeVectors.Reply), 1))
	}))
	t.Cleanup(server.Close)
	client, err := New(server.URL, "ak_test", "sk_test", WithRetries(2, 2*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	return client, arrived
}

func TestRetriesWhatMaySucceedLaterAndNothingElse(t *testing.T) {
	readVectors(t, "exchanges", &exchangeVectors)
	order := NewCollection{
		OutTradeNo: exchangeVectors.Order.OutTradeNo,
		Amount:     exchangeVectors.Order.Amount,
		Currency:   exchangeVectors.Order.Currency,
	}
	for _, exchange := range exchangeVectors.Exchanges {
		t.Run(exchange.Name, func(t *testing.T) {
			client, arrived := startService(t, exchange.Replies)
			created, err := client.Collections.Create(WithIdempotencyKey(context.Background(), "k-1"), order)
			expectSigned(t, *arrived, exchange.Attempts)
			expectOutcome(t, created, err, exchange.Outcome)
			if exchange.Cause != nil {
				expectRefusal(t, replyOf(err), exchange.Cause)
			}
		})
	}
}

func TestSendsEachNonceOnceWhenAReusedConnectionEnds(t *testing.T) {
	readVectors(t, "exchanges", &exchangeVectors)
	ctx := WithIdempotencyKey(context.Background(), "k-1")
	calls := map[string]func(*Client) error{
		"GET": func(client *Client) error {
			_, err := client.Collections.Get(ctx, "C1")
			return err
		},
		"POST": func(client *Client) error {
			_, err := client.Collections.Cancel(ctx, "C1")
			return err
		},
	}
	for method, call := range calls {
		t.Run(method, func(t *testing.T) {
			created := reply{Status: 200, Body: "$order"}
			client, arrived := startService(t, []reply{created, {isDrop: true}, created})
			for i := 0; i < 2; i++ {
				if err := call(client); err != nil {
					t.Fatal(err)
				}
			}
			nonces := map[string]bool{}
			for _, each := range *arrived {
				nonces[each.header.Get("x-nonce")] = true
				if each.method != method || each.body != "" || each.header.Get("idempotency-key") != "k-1" {
					t.Errorf("%+v", each)
				}
			}
			if len(*arrived) != 3 || len(nonces) != 3 {
				t.Errorf("%d attempts with %d nonces", len(*arrived), len(nonces))
			}
		})
	}
}

func TestDoublesTheDelayUpToTheLongestOne(t *testing.T) {
	transport := &transport{retryDelay: time.Second}
	expectations := map[int]time.Duration{
		0: time.Second, 1: 2 * time.Second, 4: 16 * time.Second, 5: maxDelay, 34: maxDelay, 2000: maxDelay,
	}
	for attempt, expected := range expectations {
		backoff := transport.backoff(attempt)
		wait, mayRetry := waitBefore(&ConnectionError{cause: io.EOF}, backoff)
		if backoff != expected || wait < expected/2 || wait > expected || !mayRetry {
			t.Errorf("%v, %v after attempt %d", backoff, wait, attempt)
		}
	}
}

func expectSigned(t *testing.T, arrived []arrivedRequest, attempts int) {
	t.Helper()
	nonces := map[string]bool{}
	for _, each := range arrived {
		nonce := each.header.Get("x-nonce")
		nonces[nonce] = true
		signature := Sign("sk_test", each.method, each.path, each.header.Get("x-timestamp"), nonce, []byte(each.body))
		if each.header.Get("x-signature") != signature || each.header.Get("idempotency-key") != "k-1" {
			t.Errorf("headers: %v", each.header)
		}
		if each.method != "POST" || each.path != "/openapi/v1/collections" || each.body != arrived[0].body {
			t.Errorf("%s %s %s", each.method, each.path, each.body)
		}
	}
	if len(arrived) != attempts || len(nonces) != attempts {
		t.Errorf("%d attempts with %d nonces instead of %d", len(arrived), len(nonces), attempts)
	}
}

func expectOutcome(t *testing.T, created Collection, err error, outcome json.RawMessage) {
	t.Helper()
	var connection *ConnectionError
	var refusal *Error
	switch string(outcome) {
	case `"ok"`:
		if err != nil || created.TradeNo != "C261120160000618033989" || created.Status != "aStateToCome" || created.PaidAt != nil {
			t.Errorf("%+v, %v", created, err)
		}
	case `"connection"`:
		if !errors.As(err, &connection) || errors.As(err, &refusal) {
			t.Errorf("%v", err)
		}
	default:
		if !errors.As(err, &refusal) {
			t.Fatalf("%v", err)
		}
		expectRefusal(t, refusal, outcome)
	}
}

// replyOf returns the error of the last reply to a call whose outcome is unknown.
func replyOf(err error) *Error {
	var connection *ConnectionError
	if !errors.As(err, &connection) {
		return nil
	}
	return connection.Reply
}

func expectRefusal(t *testing.T, refusal *Error, fields json.RawMessage) {
	t.Helper()
	if refusal == nil {
		t.Fatalf("no error instead of %s", fields)
	}
	found := map[string]any{
		"status": refusal.Status, "code": refusal.Code, "message": refusal.Error(), "requestId": refusal.RequestID,
		"details": refusal.Details, "errors": refusal.Errors, "retryAfterSeconds": refusal.RetryAfterSeconds,
		"isRateLimit": refusal.IsRateLimit(), "isTemporary": refusal.IsTemporary(),
	}
	var expected map[string]any
	if err := json.Unmarshal(fields, &expected); err != nil {
		t.Fatal(err)
	}
	for name, value := range expected {
		if name == "messageHas" {
			if !strings.Contains(refusal.Error(), value.(string)) {
				t.Errorf("message: %s", refusal)
			}
		} else if !reflect.DeepEqual(throughJSON(t, found[name]), value) {
			t.Errorf("%s: %v instead of %v", name, found[name], value)
		}
	}
}

func throughJSON(t *testing.T, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var read any
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func TestReadsListsPageByPage(t *testing.T) {
	readVectors(t, "exchanges", &exchangeVectors)
	pages := exchangeVectors.Pages
	var replies []reply
	for page, cursor := range pages.Cursors {
		items := make([]json.RawMessage, pages.Items[page])
		for index := range items {
			items[index] = exchangeVectors.Reply
		}
		body, err := json.Marshal(map[string]any{"items": items, "next_cursor": cursor})
		if err != nil {
			t.Fatal(err)
		}
		replies = append(replies, reply{Status: 200, Body: string(body)})
	}
	client, arrived := startService(t, replies)
	list := client.Collections.List(Filters{Status: []string{"paid", "success"}, Limit: 2})
	count := 0
	for list.Next(context.Background()) {
		count++
		if list.Item().TradeNo != "C261120160000618033989" {
			t.Errorf("%+v", list.Item())
		}
		if count == 1 && len(*arrived) != 1 {
			t.Errorf("read %d pages for the first item", len(*arrived))
		}
	}
	if list.Err() != nil || count != 3 {
		t.Errorf("%d items, %v", count, list.Err())
	}
	paths := []string{}
	for _, each := range *arrived {
		paths = append(paths, each.path)
	}
	if expected := append([]string{pages.First}, pages.Others...); !reflect.DeepEqual(paths, expected) {
		t.Errorf("%v instead of %v", paths, expected)
	}
}

func TestSendsNoFilterThatIsEmpty(t *testing.T) {
	readVectors(t, "exchanges", &exchangeVectors)
	page := reply{Status: 200, Body: `{"items":[],"next_cursor":null}`}
	client, arrived := startService(t, []reply{page, page})
	list := client.Collections.List(Filters{Status: []string{}, Limit: 2})
	rawList := ListOf[Collection](client, collectionsPath+"/list", url.Values{"status": {}, "limit": {"2"}})
	for _, err := range []error{readAll(list), readAll(rawList)} {
		if err != nil {
			t.Error(err)
		}
	}
	for _, each := range *arrived {
		if each.path != exchangeVectors.Pages.Empty.First {
			t.Errorf("%s instead of %s", each.path, exchangeVectors.Pages.Empty.First)
		}
	}
	if len(*arrived) != 2 {
		t.Errorf("%d calls", len(*arrived))
	}
}

func readAll(list *List[Collection]) error {
	for list.Next(context.Background()) {
	}
	return list.Err()
}

func TestAReplyOfAnotherShapeLeavesTheOutcomeUnknown(t *testing.T) {
	client, _ := startService(t, []reply{{Status: 201, Body: `{"trade_no":1}`}})
	_, err := client.Payouts.Create(context.Background(), NewPayout{})
	var connection *ConnectionError
	if !errors.As(err, &connection) {
		t.Errorf("%v", err)
	}
}

func TestAListEndsWithAnError(t *testing.T) {
	client, _ := startService(t, []reply{{Status: 404, Body: `{"code":"not_found"}`}})
	list := client.Payouts.List(Filters{})
	var refusal *Error
	if list.Next(context.Background()) || !errors.As(list.Err(), &refusal) || refusal.Code != "not_found" {
		t.Errorf("%v", list.Err())
	}
}

func TestAcceptsPlainHTTPOnThisMachineOnly(t *testing.T) {
	for _, base := range []string{"http://pay.example", "ftp://127.0.0.1", "https://pay.example/path", "https://", "pay.example"} {
		if _, err := New(base, "ak_test", "sk_test"); err == nil {
			t.Errorf("%s was accepted", base)
		}
	}
	if _, err := New("https://pay.example", "ak_test", ""); err == nil {
		t.Error("an empty secret was accepted")
	}
}

func TestDoesNotShowTheSecret(t *testing.T) {
	client, err := New("https://pay.example", "ak_test", "sk_test")
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(format, client); strings.Contains(text, "sk_test") {
			t.Errorf("%s: %s", format, text)
		}
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	held := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-held }))
	t.Cleanup(func() { close(held); server.Close() })
	client, err := New(server.URL, "ak_test", "sk_test")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := client.Balance(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestAHeaderThatCannotBeSentIsNoCall(t *testing.T) {
	client, arrived := startService(t, nil)
	_, err := client.Collections.Cancel(WithIdempotencyKey(context.Background(), "k\r\nX-Other: 1"), "C1")
	var connection *ConnectionError
	if err == nil || errors.As(err, &connection) || len(*arrived) > 0 {
		t.Errorf("%v, %v", err, *arrived)
	}
}
