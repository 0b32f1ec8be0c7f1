import type { BatchRow } from '@hengfu/contract/payout-batch-rows';
import { describe, expect, it } from 'vitest';
import { withCardBank } from './row-bank.rules.ts';

const rowOf = (fields: BatchRow, suggestedBank?: string) => ({
  fields,
  ...(suggestedBank !== undefined && { suggestedBank }),
});

describe('the bank of a row whose account was edited', () => {
  it('is filled with its name if the row has none', () =>
    expect(withCardBank(rowOf({ payee: '李四', bank: '' }), 'CCB', 'CN_BANK')).toEqual(
      rowOf({ payee: '李四', bank: 'CCB', bankName: '中国建设银行' }, 'CCB'),
    ));

  it('follows the card while it is only a suggestion', () => {
    const suggested = rowOf({ bank: 'CCB', bankName: '中国建设银行' }, 'CCB');
    expect(withCardBank(suggested, 'ICBC', 'CN_BANK').fields).toEqual({
      bank: 'ICBC',
      bankName: '中国工商银行',
    });
    expect(withCardBank(suggested, undefined, 'CN_BANK').fields).toEqual({ bank: '', bankName: '' });
  });

  it('stays as the file or the user has it', () => {
    const row = rowOf({ bank: 'ABC', bankName: '中国农业银行' });
    expect(withCardBank(row, 'CCB', 'CN_BANK')).toBe(row);
    const unknown = rowOf({ bank: 'Nowhere' });
    expect(withCardBank(unknown, 'CCB', 'CN_BANK')).toBe(unknown);
  });

  it('has no name of its own on other channels', () =>
    expect(withCardBank(rowOf({}), '970436', 'VN_NAPAS').fields).toEqual({ bank: '970436' }));
});
