// Package hengfu is a client of the Hengfu Open API: collections, refunds, payouts and callbacks.
package hengfu

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Version is the version of this library.
const Version = "0.1.0"

const (
	collectionsPath = "/openapi/v1/collections"
	payoutsPath     = "/openapi/v1/payouts"
	refundsPath     = "/openapi/v1/refunds"
)

// Client calls the Open API with one access key. It is safe for concurrent use.
type Client struct {
	Collections *Collections
	Refunds     *Refunds
	Payouts     *Payouts
	transport   *transport
}

// Option changes how a client calls.
type Option func(*transport)

// WithLanguage sets the language of error messages: "en", "zh-CN" or "vi".
func WithLanguage(language string) Option {
	return func(t *transport) { t.language = language }
}

// WithTimeout limits each attempt; 60 seconds by default.
func WithTimeout(timeout time.Duration) Option {
	return func(t *transport) { t.http.Timeout = timeout }
}

// WithRetries sets the number of attempts after the first one, 4 by default, and the delay before the first of them,
// a second by default and doubled for each further one. 0 retries turn them off.
func WithRetries(retries int, delay time.Duration) Option {
	return func(t *transport) { t.maxRetries, t.retryDelay = retries, delay }
}

// WithRoundTripper replaces the way in which requests are sent, for a proxy or for metrics.
func WithRoundTripper(roundTripper http.RoundTripper) Option {
	return func(t *transport) { t.http.Transport = roundTripper }
}

// New returns a client. The base is scheme and host, as in "https://pay.example"; plain HTTP is accepted for this
// machine only.
func New(base, key, secret string, options ...Option) (*Client, error) {
	t, err := newTransport(base, key, secret)
	if err != nil {
		return nil, err
	}
	for _, option := range options {
		option(t)
	}
	return &Client{&Collections{t}, &Refunds{t}, &Payouts{t}, t}, nil
}

// String hides the secret.
func (c *Client) String() string { return "hengfu.Client(" + c.transport.base + ")" }

// GoString hides the secret.
func (c *Client) GoString() string { return c.String() }

// Balance returns your funds.
func (c *Client) Balance(ctx context.Context) (Balance, error) {
	return call[Balance](ctx, c.transport, http.MethodGet, "/openapi/v1/balance", nil)
}

// Settlements lists settlements, newest first.
func (c *Client) Settlements(filters Filters) *List[Settlement] {
	return newList[Settlement](c.transport, "/openapi/v1/settlements/list", filters.query())
}

// BalanceEntries lists the changes of your available funds, newest first.
func (c *Client) BalanceEntries(filters EntryFilters) *List[BalanceEntry] {
	period := Filters{CreatedFrom: filters.CreatedFrom, CreatedTo: filters.CreatedTo, Limit: filters.Limit}
	query := period.query()
	if len(filters.Type) > 0 {
		query = append([]string{"type=" + encode(strings.Join(filters.Type, ","))}, query...)
	}
	return newList[BalanceEntry](c.transport, "/openapi/v1/balance/entries/list", query)
}

// Collections are orders by which payers pay you.
type Collections struct{ transport *transport }

// Create creates an order. The same number with the same body returns the same order.
func (c *Collections) Create(ctx context.Context, order NewCollection) (Collection, error) {
	return call[Collection](ctx, c.transport, http.MethodPost, collectionsPath, order)
}

// Find finds an order by your number.
func (c *Collections) Find(ctx context.Context, outTradeNo string) (Collection, error) {
	path := collectionsPath + "?out_trade_no=" + encode(outTradeNo)
	return call[Collection](ctx, c.transport, http.MethodGet, path, nil)
}

// Get returns an order by our number.
func (c *Collections) Get(ctx context.Context, tradeNo string) (Collection, error) {
	return call[Collection](ctx, c.transport, http.MethodGet, collectionsPath+"/"+encode(tradeNo), nil)
}

// Cancel cancels an unpaid order.
func (c *Collections) Cancel(ctx context.Context, tradeNo string) (Collection, error) {
	return call[Collection](ctx, c.transport, http.MethodPost, collectionsPath+"/"+encode(tradeNo)+"/cancel", nil)
}

// Refund refunds all that is left of an order. For a part, or to name the refund, use Refunds.Create.
func (c *Collections) Refund(ctx context.Context, tradeNo string) (Collection, error) {
	return call[Collection](ctx, c.transport, http.MethodPost, collectionsPath+"/"+encode(tradeNo)+"/refund", nil)
}

// List lists orders, newest first.
func (c *Collections) List(filters Filters) *List[Collection] {
	return newList[Collection](c.transport, collectionsPath+"/list", filters.query())
}

// Refunds give collections back, or parts of them.
type Refunds struct{ transport *transport }

// Create refunds an order or a part of it. The same number with the same body returns the same refund. Without an
// amount, all that is left is refunded.
func (r *Refunds) Create(ctx context.Context, refund NewRefund) (Refund, error) {
	return call[Refund](ctx, r.transport, http.MethodPost, refundsPath, refund)
}

// Find finds a refund by your number.
func (r *Refunds) Find(ctx context.Context, outRefundNo string) (Refund, error) {
	path := refundsPath + "?out_refund_no=" + encode(outRefundNo)
	return call[Refund](ctx, r.transport, http.MethodGet, path, nil)
}

// Get returns a refund by our number.
func (r *Refunds) Get(ctx context.Context, refundNo string) (Refund, error) {
	return call[Refund](ctx, r.transport, http.MethodGet, refundsPath+"/"+encode(refundNo), nil)
}

// List lists refunds, newest first.
func (r *Refunds) List(filters Filters) *List[Refund] {
	return newList[Refund](r.transport, refundsPath+"/list", filters.query())
}

// Payouts pay payees from your available funds.
type Payouts struct{ transport *transport }

// Create creates a payout. The same number with the same body returns the same payout.
func (p *Payouts) Create(ctx context.Context, payout NewPayout) (Payout, error) {
	return call[Payout](ctx, p.transport, http.MethodPost, payoutsPath, payout)
}

// Find finds a payout by your number.
func (p *Payouts) Find(ctx context.Context, outTradeNo string) (Payout, error) {
	path := payoutsPath + "?out_trade_no=" + encode(outTradeNo)
	return call[Payout](ctx, p.transport, http.MethodGet, path, nil)
}

// Get returns a payout by our number.
func (p *Payouts) Get(ctx context.Context, tradeNo string) (Payout, error) {
	return call[Payout](ctx, p.transport, http.MethodGet, payoutsPath+"/"+encode(tradeNo), nil)
}

// List lists payouts, newest first.
func (p *Payouts) List(filters Filters) *List[Payout] {
	return newList[Payout](p.transport, payoutsPath+"/list", filters.query())
}

// Filters say which items of a list you want: all by default.
type Filters struct {
	// Status selects items in any of these states; all if there are none.
	Status []string
	// CreatedFrom selects items created at this instant or later.
	CreatedFrom time.Time
	// CreatedTo selects items created before this instant.
	CreatedTo time.Time
	// Limit is the number of items per call, 1–100.
	Limit int
}

// EntryFilters say which changes of your funds you want: all by default.
type EntryFilters struct {
	// Type selects changes for any of these reasons; all if there are none.
	Type []string
	// CreatedFrom selects changes made at this instant or later.
	CreatedFrom time.Time
	// CreatedTo selects changes made before this instant.
	CreatedTo time.Time
	// Limit is the number of changes per call, 1–100.
	Limit int
}

func (f Filters) query() []string {
	var query []string
	if len(f.Status) > 0 {
		query = append(query, "status="+encode(strings.Join(f.Status, ",")))
	}
	if !f.CreatedFrom.IsZero() {
		query = append(query, "created_from="+encode(f.CreatedFrom.UTC().Format(time.RFC3339Nano)))
	}
	if !f.CreatedTo.IsZero() {
		query = append(query, "created_to="+encode(f.CreatedTo.UTC().Format(time.RFC3339Nano)))
	}
	if f.Limit > 0 {
		query = append(query, "limit="+strconv.Itoa(f.Limit))
	}
	return query
}

// List reads a list to its end, a page per call:
//
//	for list.Next(ctx) {
//		use(list.Item())
//	}
//	if err := list.Err(); err != nil { … }
type List[T any] struct {
	transport *transport
	path      string
	query     []string
	cursor    string
	items     []T
	item      T
	isLast    bool
	err       error
}

func newList[T any](t *transport, path string, query []string) *List[T] {
	return &List[T]{transport: t, path: path, query: query}
}

// ListOf reads any list of the Open API, as in "/openapi/v1/collections/list", into items of your own type.
func ListOf[T any](c *Client, path string, filters url.Values) *List[T] {
	var query []string
	for name, values := range filters {
		if len(values) > 0 {
			query = append(query, encode(name)+"="+encode(strings.Join(values, ",")))
		}
	}
	return newList[T](c.transport, path, query)
}

// Next moves to the next item. It returns false at the end of the list, or after an error.
func (l *List[T]) Next(ctx context.Context) bool {
	for l.err == nil && len(l.items) == 0 && !l.isLast {
		l.readPage(ctx)
	}
	if l.err != nil || len(l.items) == 0 {
		return false
	}
	l.item, l.items = l.items[0], l.items[1:]
	return true
}

// Item returns the item that Next moved to.
func (l *List[T]) Item() T { return l.item }

// Err returns the error that ended the list; nil at its regular end.
func (l *List[T]) Err() error { return l.err }

func (l *List[T]) readPage(ctx context.Context) {
	query := l.query
	if l.cursor != "" {
		query = append(append([]string{}, query...), "cursor="+encode(l.cursor))
	}
	path := l.path
	if len(query) > 0 {
		path += "?" + strings.Join(query, "&")
	}
	page, err := call[struct {
		Items      []T     `json:"items"`
		NextCursor *string `json:"next_cursor"`
	}](ctx, l.transport, http.MethodGet, path, nil)
	if err != nil {
		l.err = err
		return
	}
	l.items = page.Items
	if page.NextCursor == nil {
		l.isLast = true
	} else {
		l.cursor = *page.NextCursor
	}
}

// call sends a call and reads its reply.
func call[R any](ctx context.Context, t *transport, method, pathWithQuery string, body any) (R, error) {
	var reply R
	content := []byte{}
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			return reply, err
		}
	}
	text, err := t.send(ctx, method, pathWithQuery, content)
	if err != nil {
		return reply, err
	}
	if err = json.Unmarshal(text, &reply); err != nil {
		return reply, &ConnectionError{cause: err}
	}
	return reply, nil
}
