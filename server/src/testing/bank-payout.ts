/** Builds the body of a signed payout to a card; the last digits of the amount decide what the sandbox bank does with it. */
export function bankPayout(outTradeNo: string, amount: string): Record<string, string> {
  return {
    out_trade_no: outTradeNo,
    currency: 'CNY',
    channel: 'CN_BANK',
    amount,
    payee: '王芳',
    bank: 'ICBC',
    bankName: '中国工商银行',
    payeeAccount: '6222 0212 3456 7890 128',
  };
}
