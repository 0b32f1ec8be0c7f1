import { expect, it } from 'vitest';
import { type PayoutFields, payoutFaults } from './payout-fields.ts';

const chinese = {
  channel: 'CN_BANK',
  amount: '1.00',
  payee: '王芳',
  bank: 'ICBC',
  bankName: '中国工商银行',
} as const;
const indian = {
  channel: 'IN_IMPS',
  amount: '1.00',
  payee: 'Ravi Kumar',
  payeeAccount: '123456789012',
} as const;
const brazilian = {
  channel: 'BR_PIX',
  amount: '1.00',
  payee: 'Ana Souza',
  accountType: 'CPF',
  payeeAccount: '529.982.247-25',
} as const;

it.each<[string, PayoutFields, string | undefined]>([
  ['a valid card', { ...chinese, payeeAccount: '6222 0212 3456 7890 128' }, undefined],
  [
    'a mistyped card',
    { ...chinese, payeeAccount: '6222021234567890129' },
    'payeeAccount validation.cardCheckDigit',
  ],
  [
    'an account with letters',
    { ...chinese, payeeAccount: '62220212345678901X' },
    'payeeAccount validation.payeeAccount',
  ],
  ['a short account', { ...chinese, payeeAccount: '62220' }, 'payeeAccount validation.payeeAccount'],
  ['an IFSC without its zero', { ...indian, ifsc: 'HDFC1000001' }, 'ifsc validation.ifscForm'],
  ['an IFSC of ten characters', { ...indian, ifsc: 'HDFC000001' }, 'ifsc validation.ifscForm'],
  ['a valid CPF', { ...brazilian, taxId: '529.982.247-25' }, undefined],
  ['a mistyped CPF', { ...brazilian, taxId: '529.982.247-26' }, 'taxId validation.taxId'],
  ['a mistyped CNPJ', { ...brazilian, taxId: '11.222.333/0001-82' }, 'taxId validation.taxId'],
  ['a CPF of ten digits', { ...brazilian, taxId: '529.982.247-2' }, 'taxId validation.taxIdForm'],
  ['one repeated digit', { ...brazilian, taxId: '111.111.111-11' }, 'taxId validation.taxIdForm'],
  [
    'a mistyped CPF as PIX key',
    { ...brazilian, payeeAccount: '52998224726', taxId: '52998224725' },
    'payeeAccount validation.taxId',
  ],
  [
    'a PIX key of nine digits',
    { ...brazilian, payeeAccount: '529982247', taxId: '52998224725' },
    'payeeAccount validation.payeeAccount',
  ],
])('%s is described by its own fault', (_name, order, fault) =>
  expect(payoutFaults(order)[0]?.join(' ')).toBe(fault),
);
