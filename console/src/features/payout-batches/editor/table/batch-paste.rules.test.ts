import { describe, expect, it } from 'vitest';
import { placeCells, readClipboard } from './batch-paste.rules.ts';

describe('the clipboard of a spreadsheet', () => {
  it('has rows and cells', () =>
    expect(readClipboard('王芳\t6222 \r\n李雷\t6217\r\n')).toEqual([
      ['王芳', '6222'],
      ['李雷', '6217'],
    ]));
  it('has a column', () => expect(readClipboard('1\n2')).toEqual([['1'], ['2']]));
  it('is left to the browser if it is one cell', () => expect(readClipboard('王芳\n')).toBeUndefined());
});

describe('pasted cells', () => {
  const table = { lines: [2, 5, 9], fields: ['payee', 'payeeAccount', 'amount'] } as const;
  it('go to the right and below, over the rows shown', () =>
    expect([...placeCells([['a', '1'], ['b']], { ...table, line: 5, field: 'payee' })]).toEqual([
      [5, { payee: 'a', payeeAccount: '1' }],
      [9, { payee: 'b' }],
    ]));
  it('end with the table', () =>
    expect([...placeCells([['1', 'x'], ['2']], { ...table, line: 9, field: 'amount' })]).toEqual([
      [9, { amount: '1' }],
    ]));
});
