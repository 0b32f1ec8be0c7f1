import { banksOf } from '@hengfu/contract/banks';
import type { ChannelCode } from '@hengfu/contract/channels';
import type { BatchRow } from '@hengfu/contract/payout-batch-rows';
import { bankNameFor, bankToFill } from '../../../shared/payments/card-bank-choice.ts';
import { normalizeRow } from './batch-file.rules.ts';

/** The part of a draft's row that matters here. */
interface CardRow {
  fields: BatchRow;
  /** The code that was suggested last; absent once the user has chosen. */
  suggestedBank?: string;
}

/**
 * Returns a row with the bank that its card's first digits name (`recognized`, a code; undefined if they name none). Never replaces
 * a bank of the file or of the user's choice. Returns the same row if nothing changes.
 */
export function withCardBank<R extends CardRow>(
  row: R,
  recognized: string | undefined,
  channel: ChannelCode,
): R {
  const { bank: chosen = '', bankName = '' } = row.fields;
  const code = bankToFill({ chosen, suggested: row.suggestedBank ?? '', recognized });
  if (code === chosen) return row;
  const fields = { ...row.fields, bank: code };
  if (channel === 'CN_BANK') fields.bankName = bankNameFor(code, bankName, banksOf[channel] ?? []);
  return { ...row, fields: normalizeRow(fields, channel), suggestedBank: code };
}
