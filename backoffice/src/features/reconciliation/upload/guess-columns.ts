import type { AmountForm } from '@hengfu/contract/staff/statement-mapping';

/** The columns of a file, which a person chooses by their headings. */
export const columnNames = [
  'reference',
  'amount',
  'credit',
  'debit',
  'direction',
  'date',
  'bankReference',
  'text',
] as const;
export type ColumnName = (typeof columnNames)[number];

/** Words of headings, the surest columns first: each heading is taken once. */
const words: readonly (readonly [ColumnName, RegExp])[] = [
  ['bankReference', /bank.?s? (?:ref|no|number|id)|transaction (?:id|no|number)|流水号|mã giao dịch/i],
  ['reference', /order|reference|\bref\b|end.?to.?end|订单号|mã đơn/i],
  ['credit', /credit|money in|paid in|贷方|收入|ghi có/i],
  ['debit', /debit|money out|paid out|借方|支出|ghi nợ/i],
  ['amount', /amount|\bsum\b|金额|số tiền|valor/i],
  ['direction', /direction|d\/c|c\/d|收支|借贷|loại/i],
  ['date', /date|booked|日期|时间|ngày|\bdata\b/i],
  ['text', /text|description|details|memo|remark|摘要|备注|nội dung|descri/i],
];

/** Guesses by their headings which column is which. */
export function guessColumns(headings: readonly string[]): Partial<Record<ColumnName, string>> {
  const guessed: Partial<Record<ColumnName, string>> = {};
  for (const [name, pattern] of words) {
    const taken = Object.values(guessed);
    const heading = headings.find((each) => pattern.test(each) && !taken.includes(each));
    if (heading !== undefined) guessed[name] = heading;
  }
  return guessed;
}

/** Guesses how amounts are written, from the columns that a file has. */
export function guessAmountForm({
  amount,
  credit,
  debit,
  direction,
}: ReturnType<typeof guessColumns>): AmountForm {
  if (amount === undefined && credit !== undefined && debit !== undefined) return 'twoColumns';
  return direction === undefined ? 'signed' : 'marked';
}
