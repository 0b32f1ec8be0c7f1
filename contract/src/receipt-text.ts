import { type Language, localeOf } from './languages.ts';
import type { Currency } from './money.ts';
import type { Receipt } from './receipts.ts';

// Imports no schemas, so that a payer's phone loads no validator.

/** The state of a payment on its receipt. */
export type ReceiptState = 'paid' | 'partlyRefunded' | 'refunded';

/** The labels of a receipt's rows, by phrase. */
export type ReceiptLabel =
  | 'amount'
  | 'refunded'
  | 'kept'
  | 'registeredName'
  | 'subject'
  | 'channel'
  | 'trade_no'
  | 'out_trade_no'
  | 'bankReference'
  | 'createdAt'
  | 'paidAt'
  | 'refundedAt';

/** Returns what became of a payment. */
export function receiptState({ refunded, kept }: Receipt): ReceiptState {
  if (isZero(refunded)) return 'paid';
  return isZero(kept) ? 'refunded' : 'partlyRefunded';
}

/** "1280.50" CNY → "1,280.50 CNY": exact, and without a symbol that several currencies share. */
export function receiptAmount(amount: string, currency: Currency, language: Language): string {
  const decimals = amount.split('.')[1]?.length ?? 0;
  const figure = new Intl.NumberFormat(localeOf[language], {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount as `${number}`);
  return `${figure}\u00a0${currency}`;
}

/** Formats an instant in a zone, which the text names: readers may be elsewhere. */
export function receiptTime(at: string | Date, zone: string, language: Language): string {
  const text = new Intl.DateTimeFormat(localeOf[language], {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: zone,
  }).format(new Date(at));
  return `${text} (${zone})`;
}

/** Returns the rows of a receipt, in their order, without those that it has no value for. */
export function receiptRows(
  receipt: Receipt,
  language: Language,
  channelName: string,
): (readonly [ReceiptLabel, string])[] {
  const { currency, zone, merchant, registeredName } = receipt;
  const money = (amount: string) => receiptAmount(amount, currency, language);
  const time = (at: string | null) => at && receiptTime(at, zone, language);
  const hasRefund = receiptState(receipt) !== 'paid';
  const rows: readonly (readonly [ReceiptLabel, string | null])[] = [
    ['amount', hasRefund ? money(receipt.amount) : null],
    ['refunded', hasRefund ? money(receipt.refunded) : null],
    ['kept', hasRefund ? money(receipt.kept) : null],
    ['registeredName', registeredName === merchant.name ? null : registeredName],
    ['subject', receipt.subject],
    ['channel', channelName],
    ['trade_no', receipt.trade_no],
    ['out_trade_no', receipt.out_trade_no],
    ['bankReference', receipt.bankReference],
    ['createdAt', time(receipt.createdAt)],
    ['paidAt', time(receipt.paidAt)],
    ['refundedAt', time(receipt.refundedAt)],
  ];
  return rows.filter((row): row is readonly [ReceiptLabel, string] => row[1] !== null);
}

function isZero(amount: string): boolean {
  return /^[0.]+$/.test(amount);
}
