// Code generated from sdk/openapi.json by "npm run sdk". DO NOT EDIT.

package hengfu

import "time"

// Balance is what the service returns. Amounts are decimal texts.
//
// The values of today; more may be added:
//   - Currency: CNY, USD, INR, BRL, VND, USDT
type Balance struct {
	Currency  string `json:"currency"`
	Available string `json:"available"`
	Locked    string `json:"locked"`
	Balance   string `json:"balance"`
	Unsettled string `json:"unsettled"`
	Total     string `json:"total"`
}

// BalanceEntry is what the service returns. Amounts are decimal texts.
//
// The values of today; more may be added:
//   - Type: collectionSettlement, payoutDeduction, payoutRefund, recharge, withdrawal, withdrawalRejected, transferIn, transferOut
//   - Currency: CNY, USD, INR, BRL, VND, USDT
type BalanceEntry struct {
	EntryNo   string    `json:"entry_no"`
	Type      string    `json:"type"`
	Amount    string    `json:"amount"`
	Balance   string    `json:"balance"`
	Currency  string    `json:"currency"`
	SubjectNo string    `json:"subject_no"`
	CreatedAt time.Time `json:"createdAt"`
}

// Collection is what the service returns. Amounts are decimal texts.
//
// The values of today; more may be added:
//   - Status: toBePaid, paid, success, refunded, cancelled, closed, failed
//   - Currency: CNY, USD, INR, BRL, VND, USDT
//   - FailureCode: insufficientFunds, declinedByPayer, other
//   - RefundApprovalState: waiting, approved, refused, withdrawn, expired
type Collection struct {
	TradeNo             string     `json:"trade_no"`
	OutTradeNo          string     `json:"out_trade_no"`
	Status              string     `json:"status"`
	Amount              string     `json:"amount"`
	Fee                 string     `json:"fee"`
	Currency            string     `json:"currency"`
	Channel             *string    `json:"channel"`
	Subject             *string    `json:"subject"`
	CashierURL          string     `json:"cashierUrl"`
	CreatedAt           time.Time  `json:"createdAt"`
	ExpiresAt           time.Time  `json:"expiresAt"`
	PaidAt              *time.Time `json:"paidAt"`
	RefundedAt          *time.Time `json:"refundedAt"`
	FailureCode         *string    `json:"failureCode"`
	FailureReason       *string    `json:"failureReason"`
	Refunded            string     `json:"refunded"`
	RefundPending       bool       `json:"refundPending"`
	RefundApprovalState *string    `json:"refundApprovalState"`
}

// NewCollection is the body of a call. Fields that have their zero value are not sent.
//
// The values of today; more may be added:
//   - Currency: CNY, USD, INR, BRL, VND, USDT
type NewCollection struct {
	OutTradeNo string `json:"out_trade_no"`
	Amount     string `json:"amount"`
	Currency   string `json:"currency"`
	Channel    string `json:"channel,omitempty"`
	Subject    string `json:"subject,omitempty"`
	NotifyURL  string `json:"notifyUrl,omitempty"`
	ReturnURL  string `json:"returnUrl,omitempty"`
	ExpiresIn  int64  `json:"expiresIn,omitempty"`
}

// NewPayout is the body of a call. Fields that have their zero value are not sent.
//
// The values of today; more may be added:
//   - Currency: CNY, USD, INR, BRL, VND, USDT
//   - Channel: CN_BANK, VN_NAPAS, IN_IMPS, BR_PIX
//   - AccountType: CPF, CNPJ, PHONE, EMAIL, EVP
type NewPayout struct {
	OutTradeNo     string `json:"out_trade_no"`
	Currency       string `json:"currency"`
	Channel        string `json:"channel"`
	Amount         string `json:"amount"`
	Payee          string `json:"payee"`
	PayeeAccount   string `json:"payeeAccount"`
	Bank           string `json:"bank,omitempty"`
	BankName       string `json:"bankName,omitempty"`
	BranchName     string `json:"branchName,omitempty"`
	Ifsc           string `json:"ifsc,omitempty"`
	AccountType    string `json:"accountType,omitempty"`
	TaxID          string `json:"taxId,omitempty"`
	Remark         string `json:"remark,omitempty"`
	NotifyURL      string `json:"notifyUrl,omitempty"`
	ConfirmSimilar bool   `json:"confirmSimilar,omitempty"`
}

// NewRefund is the body of a call. Fields that have their zero value are not sent.
type NewRefund struct {
	OutRefundNo string `json:"out_refund_no"`
	TradeNo     string `json:"trade_no"`
	Amount      string `json:"amount,omitempty"`
	Reason      string `json:"reason,omitempty"`
}

// Payout is what the service returns. Amounts are decimal texts.
//
// The values of today; more may be added:
//   - Status: pending, processing, processed, rejected, pendingSettlement
//   - ApprovalState: waiting, approved, refused, withdrawn, expired
//   - Currency: CNY, USD, INR, BRL, VND, USDT
//   - Channel: CN_BANK, VN_NAPAS, IN_IMPS, BR_PIX
//   - RejectCode: accountClosed, nameMismatch, neverArrived, other
type Payout struct {
	TradeNo       string     `json:"trade_no"`
	OutTradeNo    *string    `json:"out_trade_no"`
	Status        string     `json:"status"`
	ApprovalState *string    `json:"approvalState"`
	Amount        string     `json:"amount"`
	Fee           string     `json:"fee"`
	Currency      string     `json:"currency"`
	Channel       string     `json:"channel"`
	Payee         string     `json:"payee"`
	PayeeAccount  string     `json:"payeeAccount"`
	CreatedAt     time.Time  `json:"createdAt"`
	PaidAt        *time.Time `json:"paidAt"`
	RejectedAt    *time.Time `json:"rejectedAt"`
	RejectCode    *string    `json:"rejectCode"`
	RejectReason  *string    `json:"rejectReason"`
	BankReference *string    `json:"bankReference"`
}

// Refund is what the service returns. Amounts are decimal texts.
//
// The values of today; more may be added:
//   - Status: requested, processing, refunded, failed
//   - Currency: CNY, USD, INR, BRL, VND, USDT
//   - ApprovalState: waiting, approved, refused, withdrawn, expired
//   - FailureCode: notApproved, withdrawn, expired, channelRefused, neverArrived
type Refund struct {
	RefundNo      string     `json:"refund_no"`
	OutRefundNo   *string    `json:"out_refund_no"`
	TradeNo       string     `json:"trade_no"`
	OutTradeNo    string     `json:"out_trade_no"`
	Status        string     `json:"status"`
	Amount        string     `json:"amount"`
	Fee           string     `json:"fee"`
	Currency      string     `json:"currency"`
	Reason        *string    `json:"reason"`
	ApprovalState *string    `json:"approvalState"`
	FailureCode   *string    `json:"failureCode"`
	CreatedAt     time.Time  `json:"createdAt"`
	EndedAt       *time.Time `json:"endedAt"`
}

// Settlement is what the service returns. Amounts are decimal texts.
//
// The values of today; more may be added:
//   - Status: pendingSettlement, settled
//   - Currency: CNY, USD, INR, BRL, VND, USDT
type Settlement struct {
	SettlementNo string     `json:"settlement_no"`
	Status       string     `json:"status"`
	Currency     string     `json:"currency"`
	OrderCount   int64      `json:"orderCount"`
	RefundCount  int64      `json:"refundCount"`
	Amount       string     `json:"amount"`
	Fee          string     `json:"fee"`
	Refunded     string     `json:"refunded"`
	Net          string     `json:"net"`
	CutOffAt     time.Time  `json:"cutOffAt"`
	CreatedAt    time.Time  `json:"createdAt"`
	SettledAt    *time.Time `json:"settledAt"`
}
