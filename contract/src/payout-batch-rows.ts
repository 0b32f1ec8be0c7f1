import * as z from 'zod';
import { type ChannelCode, channelFields } from './channels.ts';
import { outTradeNo } from './out-trade-no.ts';
import { type PayoutFields, payoutFaults, payoutOrder } from './payout-fields.ts';
import { phrase } from './phrase.ts';

/** Maximum rows of a batch. */
export const maxBatchRows = 10_000;

/** Fields of a row besides the channel, which all rows share. */
const { channel: _channel, ...orderFields } = payoutOrder;
const rowFields = {
  ...orderFields,
  /** The merchant's own number for the payout. */
  out_trade_no: z
    .string()
    .trim()
    .transform((text) => text || undefined)
    .pipe(outTradeNo.optional())
    .optional(),
};
export type BatchField = keyof typeof rowFields;
export const batchFields = Object.keys(rowFields) as [BatchField, ...BatchField[]];

/** Returns the fields of a channel's rows, in the order of the template. */
export function batchFieldsOf(of: ChannelCode): BatchField[] {
  return ['payee', 'payeeAccount', ...channelFields[of], 'amount', 'remark', 'out_trade_no'];
}

/** A row as entered in the file or the table: texts by field, valid or not. */
export const batchRow = z.partialRecord(
  z.enum(batchFields),
  z.string().max(512, phrase('validation.tooLong')),
);
export type BatchRow = z.output<typeof batchRow>;

/** A parsed row. */
export type BatchOrder = PayoutFields & { out_trade_no?: string | undefined };

const rowSchema = z.object(rowFields);

/**
 * Parses a row, or returns all of its faults at once: a phrase for each invalid field. The rules are those of
 * a single payout.
 */
export function readBatchRow(
  of: ChannelCode,
  row: BatchRow,
): { order: BatchOrder; faults?: undefined } | { order?: undefined; faults: Map<BatchField, string> } {
  const read = rowSchema.safeParse(row);
  const order = { channel: of, ...(read.data ?? asTyped(row)) };
  const issues = (read.error?.issues ?? []).map(({ path, message }) => [path[0], message] as const);
  const faults = new Map<BatchField, string>();
  for (const [field, message] of [...issues, ...payoutFaults(order)])
    if (isField(field) && !faults.has(field)) faults.set(field, message);
  return faults.size > 0 ? { faults } : { order };
}

function isField(name: unknown): name is BatchField {
  return typeof name === 'string' && name in rowFields;
}

/** Returns an invalid row in a form that can be checked for further faults. */
function asTyped(row: BatchRow): Omit<BatchOrder, 'channel'> {
  const { payee = '', payeeAccount = '', amount: text = '', accountType: _type, ...more } = row;
  return { ...more, payee, payeeAccount, amount: text };
}
