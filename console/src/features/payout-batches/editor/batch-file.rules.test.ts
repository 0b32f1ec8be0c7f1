import { en } from '@hengfu/phrases/en';
import { vi } from '@hengfu/phrases/vi';
import { zhCn } from '@hengfu/phrases/zh-cn';
import { describe, expect, it } from 'vitest';
import {
  fieldOf,
  type HeadingsOf,
  hasLostDigits,
  normalizeRow,
  plainAmount,
  readTable,
} from './batch-file.rules.ts';

const headingsOf: HeadingsOf = (field) =>
  [zhCn, en, vi].map(({ payoutBatches }) => payoutBatches.column[field]);

describe('the columns of a file', () => {
  it.each([
    ['收款人', 'payee'],
    ['* 收款账号（必填）', 'payeeAccount'],
    ['Receiving account', 'payeeAccount'],
    ['SỐ TIỀN', 'amount'],
    ['out_trade_no', 'out_trade_no'],
    ['开户行', 'bankName'],
    ['colour', undefined],
    // Belongs to another channel.
    ['IFSC', undefined],
  ])('maps the heading “%s” to %s', (heading, field) =>
    expect(fieldOf(heading, 'CN_BANK', headingsOf)).toBe(field),
  );

  it('reads columns in any order, below a title, and reports unknown ones', () => {
    const cells = [
      ['Salaries of May'],
      ['Amount', 'Shoe size', 'Payee', 'Account number', 'Bank'],
      ['1,200.50', '42', '王芳', '6222 0212', '中国工商银行'],
      ['', '', '', '', ''],
      ['5', '', '李雷'],
    ];
    expect(readTable(cells, 'CN_BANK', headingsOf)).toEqual({
      rows: [
        {
          amount: '1200.50',
          payee: '王芳',
          payeeAccount: '6222 0212',
          bank: 'ICBC',
          bankName: '中国工商银行',
        },
        { amount: '5', payee: '李雷', payeeAccount: '', bank: '' },
      ],
      named: ['amount', 'payee', 'payeeAccount', 'bank'],
      columns: [{ heading: 'Shoe size', values: ['42', ''] }],
    });
    expect(readTable([['1', '2']], 'CN_BANK', headingsOf)).toBeUndefined();
    expect(readTable([], 'CN_BANK', headingsOf)).toBeUndefined();
  });
});

describe('two columns for one field', () => {
  it('are not mixed: the first one counts, and the other one is shown as not used', () => {
    const cells = [
      ['户名', '账号', '金额', 'Amount'],
      ['王芳', '62220212', '100', '900'],
      ['李雷', '62220213', '200', ''],
    ];
    expect(readTable(cells, 'CN_BANK', headingsOf)).toMatchObject({
      rows: [{ amount: '100' }, { amount: '200' }],
      columns: [{ heading: 'Amount', field: undefined, values: ['900', ''] }],
    });
  });
});

describe('the merchant’s own headings', () => {
  const cells = [
    ['姓名', '入账卡 (必填)', '实发', '入账卡2'],
    ['王芳', '6222 0212', '5.00', '1'],
  ];
  const remembered = [
    { heading: '入账卡', field: 'payeeAccount' },
    { heading: '入账卡2', field: 'payeeAccount' },
    { heading: '实发', field: 'ifsc' },
  ] as const;

  it('are offered if a single known heading names the header row', () => {
    const read = readTable(cells, 'CN_BANK', headingsOf);
    expect(read?.named).toEqual(['payee']);
    expect(read?.columns.map(({ heading, field }) => [heading, field])).toEqual([
      ['入账卡 (必填)', undefined],
      ['实发', undefined],
      ['入账卡2', undefined],
    ]);
    expect(read?.rows).toEqual([{ payee: '王芳' }]);
  });

  it('name their columns once they are remembered, each field once, and only fields of the channel', () => {
    const read = readTable(cells, 'CN_BANK', headingsOf, remembered);
    expect(read?.columns.map(({ field }) => field)).toEqual(['payeeAccount', undefined, undefined]);
    expect(read?.rows).toEqual([{ payee: '王芳', payeeAccount: '6222 0212' }]);
    // A heading that the template knows keeps its meaning.
    const known = readTable(
      [
        ['收款人', '收款账号', '入账卡'],
        ['王芳', '1', '2'],
      ],
      'CN_BANK',
      headingsOf,
      [...remembered, { heading: '收款人', field: 'remark' }],
    );
    expect(known?.rows).toEqual([{ payee: '王芳', payeeAccount: '1' }]);
  });

  it('include the usual ones of Chinese payrolls', () =>
    expect(fieldOf('银行卡号', 'CN_BANK', headingsOf)).toBe('payeeAccount'));
});

describe('a file made from an old template', () => {
  // As if every heading had changed since.
  const headingsOfToday: HeadingsOf = (field) => [`new ${field}`];
  it.each([
    ['Chinese', '收款人,收款账号,银行,银行名称,支行,金额,备注,商户订单号'],
    ['English', 'Payee,Receiving account,Bank,Bank name,Branch,Amount,Remark,Merchant order number'],
    [
      'Vietnamese',
      'Người thụ hưởng,Tài khoản thụ hưởng,Ngân hàng,Tên ngân hàng,Chi nhánh,Số tiền,Nội dung,Mã đơn của merchant',
    ],
  ])('is recognized by its %s headings', (_, headings) => {
    const line = ['王芳', '62220212', 'ICBC', '中国工商银行', '朝阳支行', '5', '五月工资', 'A-1'];
    expect(readTable([headings.split(','), line], 'CN_BANK', headingsOfToday)).toEqual({
      rows: [
        {
          payee: '王芳',
          payeeAccount: '62220212',
          bank: 'ICBC',
          bankName: '中国工商银行',
          branchName: '朝阳支行',
          amount: '5',
          remark: '五月工资',
          out_trade_no: 'A-1',
        },
      ],
      named: expect.any(Array),
      columns: [],
    });
  });

  it.each([
    ['IN_IMPS', 'IFSC', 'ifsc'],
    ['BR_PIX', 'CPF/CNPJ', 'taxId'],
    ['BR_PIX', '账户类型', 'accountType'],
    ['BR_PIX', 'Account type', 'accountType'],
    ['BR_PIX', 'Loại tài khoản', 'accountType'],
  ] as const)('for %s keeps the column “%s”', (channel, heading, field) =>
    expect(fieldOf(heading, channel, headingsOfToday)).toBe(field),
  );
});

describe('plainAmount', () => {
  it.each([
    ['1,234.50', 'CNY', '1234.50'],
    ['¥ 12.5', 'CNY', '12.5'],
    ['1,234', 'CNY', '1234'],
    ['R$ 1.234,56', 'BRL', '1234.56'],
    ['12,50', 'BRL', '12.50'],
    ['1.234.500 ₫', 'VND', '1234500'],
    ['500.000', 'VND', '500000'],
    ['007.10', 'CNY', '7.10'],
    // Ambiguous and invalid amounts are left to the user.
    ['1.234', 'BRL', '1.234'],
    ['-5', 'CNY', '-5'],
    ['0.30000000000000004', 'CNY', '0.30000000000000004'],
    ['=1+1', 'CNY', '=1+1'],
  ] as const)('reads %s %s as %s', (text, currency, plain) =>
    expect(plainAmount(text, currency)).toBe(plain),
  );
});

it('finds a bank by its code or either of its names, and fills in its name', () => {
  expect(normalizeRow({ bank: 'icbc' }, 'CN_BANK')).toEqual({ bank: 'ICBC', bankName: '中国工商银行' });
  expect(normalizeRow({ bankName: '中国工商银行' }, 'CN_BANK')).toEqual({
    bank: 'ICBC',
    bankName: '中国工商银行',
  });
  expect(normalizeRow({ bank: 'Vietcombank' }, 'VN_NAPAS')).toEqual({ bank: '970436' });
  expect(normalizeRow({ bank: 'Nowhere' }, 'VN_NAPAS')).toEqual({ bank: 'Nowhere' });
});

it('finds a type of PIX key by its name', () => {
  expect(normalizeRow({ accountType: '手机号' }, 'BR_PIX')).toEqual({ accountType: 'PHONE' });
  expect(normalizeRow({ accountType: 'cpf' }, 'BR_PIX')).toEqual({ accountType: 'CPF' });
});

it('detects a number that has lost digits', () => {
  expect(hasLostDigits('6.22202123456789E+18')).toBe(true);
  expect(hasLostDigits('6222021234567890128')).toBe(false);
  expect(hasLostDigits('e10@mail.com')).toBe(false);
});
