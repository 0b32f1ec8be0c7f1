import { setImmediate } from 'node:timers/promises';
import type { ChannelCode } from '@hengfu/contract/channels';
import { type Currency, parseAmount } from '@hengfu/contract/money';
import { type BatchRow, readBatchRow } from '@hengfu/contract/payout-batch-rows';
import type { ReadRow, RowFault } from './payout-batches.rules.ts';

/** Rows that are read before others get a turn. */
const rowsAtOnce = 200;

/** Reads rows by the rules of a single payout, without keeping the process from other work for long. */
export async function readRows(
  channel: ChannelCode,
  currency: Currency,
  rows: readonly BatchRow[],
): Promise<{ read: ReadRow[]; faults: RowFault[] }> {
  const read: ReadRow[] = [];
  const faults: RowFault[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % rowsAtOnce === rowsAtOnce - 1) await setImmediate();
    const line = index + 1;
    const { order, faults: found } = readBatchRow(channel, row);
    if (order) {
      const outTradeNo = order.out_trade_no ?? null;
      read.push({ line, order, outTradeNo, amountMinor: parseAmount(order.amount, currency) ?? 0n });
    } else for (const [field, message] of found) faults.push({ line, field, message });
  }
  return { read, faults };
}
