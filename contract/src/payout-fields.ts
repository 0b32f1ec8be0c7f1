import { cnpj, cpf } from 'cpf-cnpj-validator';
import * as z from 'zod';
import { banksOf } from './banks.ts';
import {
  type ChannelCode,
  channelCatalogue,
  channelCodes,
  type PixKeyType,
  pixKeyTypes,
} from './channels.ts';
import { amountInput, parseAmount } from './money.ts';
import { phrase } from './phrase.ts';

type Key = Parameters<typeof phrase>[0];

/** Optional text: trimmed, and undefined if empty. */
const typed = (max: number) =>
  z
    .string()
    .trim()
    .max(max, phrase('validation.tooLong'))
    .transform((text) => text || undefined)
    .optional();
const required = (key: Key, max: number) =>
  z.string(phrase(key)).trim().min(1, phrase(key)).max(max, phrase('validation.tooLong'));

/** An account number or key, as typed. */
const account = required('validation.payeeAccountRequired', 128);

/** The fields of every payout, from the console or the Open API. */
export const payoutOrder = {
  channel: z.enum(channelCodes, phrase('validation.channelRequired')),
  amount: z
    .string(phrase('validation.payoutAmountRequired'))
    .min(1, phrase('validation.payoutAmountRequired'))
    .pipe(amountInput),
  payee: required('validation.payeeRequired', 100),
  payeeAccount: account,
  bank: typed(32),
  bankName: typed(100),
  branchName: typed(100),
  ifsc: z
    .string()
    .trim()
    .toUpperCase()
    .transform((text) => text || undefined)
    .optional(),
  accountType: z.union([z.literal('').transform(() => undefined), z.enum(pixKeyTypes)]).optional(),
  taxId: typed(32),
  remark: typed(140),
};

/** The parsed fields of a payout. */
export interface PayoutFields {
  channel: ChannelCode;
  amount: string;
  payee: string;
  payeeAccount: string;
  bank?: string | undefined;
  bankName?: string | undefined;
  branchName?: string | undefined;
  ifsc?: string | undefined;
  accountType?: PixKeyType | undefined;
  taxId?: string | undefined;
  remark?: string | undefined;
}

type Fault = (field: keyof PayoutFields, key: Key) => void;

/**
 * Checks payee, account, amount and the channel's own fields against the country's rules; returns invalid
 * fields with phrases.
 */
export function payoutFaults(order: PayoutFields): [field: keyof PayoutFields, key: Key][] {
  const faults: [keyof PayoutFields, Key][] = [];
  const fault: Fault = (field, key) => faults.push([field, key]);
  const amountMinor = parseAmount(order.amount, channelCatalogue[order.channel].currency) ?? 0n;
  if (amountMinor <= 0n) fault('amount', 'validation.amount');
  if (!/\p{L}.*\p{L}/u.test(order.payee) || /\p{C}/u.test(order.payee)) fault('payee', 'validation.payee');
  checkers[order.channel](order, fault);
  return faults;
}

/** For `superRefine`: checks payee, account and the channel's own fields against the country's rules. */
export function checkPayout(order: PayoutFields, context: z.RefinementCtx): void {
  for (const [field, key] of payoutFaults(order))
    context.addIssue({ code: 'custom', path: [field], message: key });
}

const checkers: Record<ChannelCode, (order: PayoutFields, fault: Fault) => void> = {
  CN_BANK(order, fault) {
    checkBank(order, fault);
    if (!order.bankName) fault('bankName', 'validation.bankNameRequired');
    const account = plainAccount(order);
    if (!/^\d{9,30}$/.test(account)) fault('payeeAccount', 'validation.payeeAccount');
    else if (isUnionPayCard(account) && !hasLuhnDigit(account))
      fault('payeeAccount', 'validation.cardCheckDigit');
  },
  VN_NAPAS(order, fault) {
    checkBank(order, fault);
    if (!/^[0-9A-Z]{6,19}$/.test(plainAccount(order))) fault('payeeAccount', 'validation.payeeAccount');
  },
  IN_IMPS(order, fault) {
    if (!order.ifsc) fault('ifsc', 'validation.ifscRequired');
    else if (!ifscPattern.test(order.ifsc)) fault('ifsc', 'validation.ifscForm');
    if (!/^\d{9,18}$/.test(plainAccount(order))) fault('payeeAccount', 'validation.payeeAccount');
  },
  BR_PIX(order, fault) {
    if (!order.accountType) fault('accountType', 'validation.accountTypeRequired');
    else if (!isPixKey(order.accountType, plainAccount(order)))
      fault('payeeAccount', pixKeyFault(order.accountType, plainAccount(order)));
    if (!order.taxId) fault('taxId', 'validation.taxIdRequired');
    else if (!cpf.isValid(order.taxId) && !cnpj.isValid(order.taxId)) {
      const plain = order.taxId.replaceAll(/[.\-/\s]/g, '').toUpperCase();
      fault(
        'taxId',
        looksLikeTaxId('CPF', plain) || looksLikeTaxId('CNPJ', plain)
          ? 'validation.taxId'
          : 'validation.taxIdForm',
      );
    }
  },
};

/** An IFSC: four letters of the bank, a zero, six characters of the branch (Reserve Bank of India). */
export const ifscPattern = /^[A-Z]{4}0[A-Z0-9]{6}$/;

/** Normalizes an account as its channel expects it, so that different spellings are the same account. */
export function plainAccount({
  channel,
  payeeAccount,
  accountType,
}: Pick<PayoutFields, 'channel' | 'payeeAccount' | 'accountType'>): string {
  const text = payeeAccount.normalize('NFKC').trim();
  if (channel !== 'BR_PIX') return text.replaceAll(/[\s-]/g, '').toUpperCase();
  if (accountType === 'EMAIL' || accountType === 'EVP') return text.toLowerCase();
  if (accountType === 'PHONE') return `+${text.replaceAll(/\D/g, '')}`;
  return text.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase();
}

function checkBank({ channel, bank }: PayoutFields, fault: Fault): void {
  if (!bank) fault('bank', 'validation.bankRequired');
  else if (!banksOf[channel]?.some(({ code }) => code === bank)) fault('bank', 'validation.choice');
}

/** A UnionPay card (62…, 16 to 19 digits) ends with its check digit (ISO/IEC 7812-1, Luhn). */
function isUnionPayCard(digits: string): boolean {
  return /^62\d{14,17}$/.test(digits);
}

function hasLuhnDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function isPixKey(type: PixKeyType, key: string): boolean {
  switch (type) {
    case 'CPF':
      return cpf.isValid(key);
    case 'CNPJ':
      return cnpj.isValid(key);
    case 'PHONE':
      return /^\+55\d{10,11}$/.test(key);
    case 'EMAIL':
      return key.length <= 77 && z.email().safeParse(key).success;
    case 'EVP':
      return z.uuid().safeParse(key).success;
  }
}

/** Says what is wrong with an invalid PIX key: its check digits, or its form. */
function pixKeyFault(type: PixKeyType, key: string): Key {
  return looksLikeTaxId(type, key) ? 'validation.taxId' : 'validation.payeeAccount';
}

/**
 * Whether a text has the form of a CPF (11 digits) or CNPJ (12 letters or digits, then 2 digits), so that only
 * its check digits can be wrong. A number of one repeated digit is never issued, though its check digits fit.
 */
function looksLikeTaxId(type: PixKeyType, text: string): boolean {
  if (/^(.)\1*$/.test(text)) return false;
  if (type === 'CPF') return /^\d{11}$/.test(text);
  return type === 'CNPJ' && /^[0-9A-Z]{12}\d{2}$/.test(text);
}
