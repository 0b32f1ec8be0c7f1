// The shared story (sdk/story/README.md), told by the library for Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	hengfu "hengfu.example/sdk"
)

const patience = 60 * time.Second

var (
	ctx     = context.Background()
	name    = os.Getenv("STORY_NAME")
	refused int64
	events  = make(chan hengfu.CallbackEvent, 100)
)

func main() {
	log.SetFlags(0)
	client := must(hengfu.New(os.Getenv("HENGFU_BASE"), os.Getenv("HENGFU_KEY"), os.Getenv("HENGFU_SECRET")))
	notifyURL := startServer()

	order := collect(client, notifyURL)
	refund := giveBack(client, order)
	payout := payOut(client, notifyURL)

	_, err := client.Collections.Find(ctx, name+"-unknown")
	unknown := refusalOf(err)
	expect("an unknown number", []any{unknown.Code, unknown.RequestID != ""}, []any{"not_found", true})
	stranger := must(hengfu.New(os.Getenv("HENGFU_BASE"), os.Getenv("HENGFU_KEY"), "wrong"))
	_, err = stranger.Balance(ctx)
	expect("a wrong secret", refusalOf(err).Code, "signature_invalid")

	if os.Getenv("STORY_LISTS") == "1" {
		list := client.Collections.List(hengfu.Filters{Limit: 1})
		var numbers []string
		for len(numbers) < 3 && list.Next(ctx) {
			numbers = append(numbers, list.Item().TradeNo)
		}
		if list.Err() != nil || len(numbers) < 3 || numbers[0] != order.TradeNo {
			log.Fatalf("the list: %v %v", numbers, list.Err())
		}
		entries := client.BalanceEntries(hengfu.EntryFilters{Type: []string{"payoutDeduction"}, Limit: 1})
		expect("there is a deduction", entries.Next(ctx), true)
		expect("the newest deduction", entries.Item().SubjectNo, payout.TradeNo)
		settlements := client.Settlements(hengfu.Filters{Status: []string{"settled"}, Limit: 1})
		expect("there is a settlement", settlements.Next(ctx), true)
		expect("the newest settlement", settlements.Item().Status, "settled")
	}
	write(map[string]any{
		"step": "done", "order": order.TradeNo, "refund": refund.RefundNo, "payout": payout.TradeNo,
		"refused": atomic.LoadInt64(&refused),
	})
}

// startServer starts the web server for callbacks, and returns its address.
func startServer() string {
	verifier := must(hengfu.NewVerifier(os.Getenv("HENGFU_SECRET")))
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return
		}
		event, err := verifier.Verify(request.Header, body)
		if err != nil {
			atomic.AddInt64(&refused, 1)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		events <- event
		w.WriteHeader(http.StatusNoContent)
	}))
	return "http://" + listener.Addr().String() + "/callback"
}

func collect(client *hengfu.Client, notifyURL string) hengfu.Collection {
	newOrder := hengfu.NewCollection{OutTradeNo: name + "-order", Amount: "100.00", Currency: "CNY", NotifyURL: notifyURL}
	order := must(client.Collections.Create(ctx, newOrder))
	expect("the repeated order", must(client.Collections.Create(ctx, newOrder)).TradeNo, order.TradeNo)
	write(map[string]any{"step": "pay", "cashierUrl": order.CashierURL, "notifyUrl": notifyURL})

	var paid hengfu.Collection
	check(json.Unmarshal(callback("collection.paid", order.OutTradeNo), &paid))
	expect("the paid order", []string{paid.Status, paid.TradeNo}, []string{"paid", order.TradeNo})
	deadline := time.Now().Add(patience)
	found := must(client.Collections.Find(ctx, order.OutTradeNo))
	for found.Status != "success" && time.Now().Before(deadline) {
		time.Sleep(100 * time.Millisecond)
		found = must(client.Collections.Find(ctx, order.OutTradeNo))
	}
	expect("the state of the order", found.Status, "success")
	expect("the order by our number", must(client.Collections.Get(ctx, order.TradeNo)), found)
	return order
}

func giveBack(client *hengfu.Client, order hengfu.Collection) hengfu.Refund {
	newRefund := hengfu.NewRefund{OutRefundNo: name + "-refund", TradeNo: order.TradeNo, Amount: "30.00", Reason: "退一件"}
	refund := must(client.Refunds.Create(ctx, newRefund))
	expect("the repeated refund", must(client.Refunds.Create(ctx, newRefund)).RefundNo, refund.RefundNo)
	callback("refund.succeeded", newRefund.OutRefundNo)
	expect("the refund", must(client.Refunds.Find(ctx, newRefund.OutRefundNo)).Status, "refunded")
	newRefund.OutRefundNo, newRefund.Amount = name+"-refund-2", "100.00"
	_, err := client.Refunds.Create(ctx, newRefund)
	second := refusalOf(err)
	expect("the second refund", []any{second.Code, second.Status, second.Details["left"]}, []any{"refund_exceeds", 409, "70.00"})
	return refund
}

func payOut(client *hengfu.Client, notifyURL string) hengfu.Payout {
	payout := must(client.Payouts.Create(ctx, hengfu.NewPayout{
		OutTradeNo:   name + "-payout",
		Amount:       os.Getenv("STORY_PAYOUT"),
		Currency:     "CNY",
		Channel:      "CN_BANK",
		Payee:        "王芳",
		PayeeAccount: "6222021234567890128",
		Bank:         "ICBC",
		BankName:     "中国工商银行",
		NotifyURL:    notifyURL,
	}))
	callback("payout.processed", name+"-payout")
	expect("the payout", must(client.Payouts.Find(ctx, name+"-payout")).Status, "processed")
	return payout
}

// callback waits for a callback about a number of ours, and returns its data.
func callback(kind, number string) json.RawMessage {
	deadline := time.After(patience)
	for {
		select {
		case event := <-events:
			var numbers struct {
				OutTradeNo  string `json:"out_trade_no"`
				OutRefundNo string `json:"out_refund_no"`
			}
			check(json.Unmarshal(event.Data, &numbers))
			if event.Type == kind && (numbers.OutTradeNo == number || numbers.OutRefundNo == number) {
				return event.Data
			}
		case <-deadline:
			log.Fatalf("no %s", kind)
		}
	}
}

func refusalOf(err error) *hengfu.Error {
	var refusal *hengfu.Error
	if !errors.As(err, &refusal) {
		log.Fatalf("no refusal: %v", err)
	}
	return refusal
}

// expect compares two values by their JSON.
func expect(what string, found, expected any) {
	if one, other := must(json.Marshal(found)), must(json.Marshal(expected)); string(one) != string(other) {
		log.Fatalf("%s: %s instead of %s", what, one, other)
	}
}

func write(line map[string]any) {
	fmt.Println(string(must(json.Marshal(line))))
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
