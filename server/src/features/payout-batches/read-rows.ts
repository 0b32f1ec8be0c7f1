import { createHash } from 'node:crypto';
import type { ChannelCode } from '@hengfu/contract/channels';
import { type Currency, parseAmount } from '@hengfu/contract/money';
import { type BatchRow, readBatchRow } from '@hengfu/contract/payout-batch-rows';
import { Slices } from '#threads/slices.ts';
import { contentOf, type ReadRow, type RowFault } from './payout-batches.rules.ts';

interface ReadRows {
  read: ReadRow[];
  faults: RowFault[];
  /** SHA-256 of the orders: the same payments in the same order, whatever the file's name and spacing. */
  contentHash: Buffer;
}

/**
 * Validates rows by the rules of a single payout, in time slices that leave room for the process's other
 * work.
 */
export async function readRows(
  channel: ChannelCode,
  currency: Currency,
  rows: readonly BatchRow[],
): Promise<ReadRows> {
  const read: ReadRow[] = [];
  const faults: RowFault[] = [];
  const hash = createHash('sha256').update(channel);
  const slices = new Slices();
  for (const [index, row] of rows.entries()) {
    if (slices.isOver) await slices.next();
    const line = index + 1;
    const { order, faults: found } = readBatchRow(channel, row);
    if (order) {
      const outTradeNo = order.out_trade_no ?? null;
      const valid = { line, order, outTradeNo, amountMinor: parseAmount(order.amount, currency) ?? 0n };
      read.push(valid);
      hash.update(contentOf(valid));
    } else for (const [field, message] of found) faults.push({ line, field, message });
  }
  return { read, faults, contentHash: hash.digest() };
}
