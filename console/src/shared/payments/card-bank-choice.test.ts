import { banksOf } from '@hengfu/contract/banks';
import { describe, expect, it } from 'vitest';
import { bankNameFor, bankToFill } from './card-bank-choice.ts';

describe('the bank after the account was edited', () => {
  it('is the recognized one if none was chosen', () =>
    expect(bankToFill({ chosen: '', suggested: '', recognized: 'ICBC' })).toBe('ICBC'));
  it('follows the card while it is only a suggestion', () => {
    expect(bankToFill({ chosen: 'ICBC', suggested: 'ICBC', recognized: 'CCB' })).toBe('CCB');
    expect(bankToFill({ chosen: 'ICBC', suggested: 'ICBC', recognized: undefined })).toBe('');
  });
  it('stays what the user chose', () => {
    expect(bankToFill({ chosen: 'ABC', suggested: 'ICBC', recognized: 'ICBC' })).toBe('ABC');
    expect(bankToFill({ chosen: 'ICBC', suggested: '', recognized: 'CCB' })).toBe('ICBC');
    expect(bankToFill({ chosen: 'ICBC', suggested: '', recognized: undefined })).toBe('ICBC');
  });
});

describe('the name of the bank', () => {
  const banks = banksOf.CN_BANK ?? [];
  it('follows the bank', () => {
    expect(bankNameFor('ICBC', '', banks)).toBe('中国工商银行');
    expect(bankNameFor('CMB', '中国工商银行', banks)).toBe('招商银行');
    expect(bankNameFor('', '中国工商银行', banks)).toBe('');
  });
  it('stays what the user typed', () =>
    expect(bankNameFor('CMB', '招商银行北京', banks)).toBe('招商银行北京'));
});
