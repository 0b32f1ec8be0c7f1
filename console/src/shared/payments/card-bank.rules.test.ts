import { banksOf } from '@hengfu/contract/banks';
import { cards } from 'bankcard';
import { describe, expect, it } from 'vitest';
import { bankOfCard, type CardPrefix } from './card-bank.rules.ts';

const codeOf = (account: string, prefixes: readonly CardPrefix[] = cards) =>
  bankOfCard('CN_BANK', account, prefixes)?.code;

describe('the bank of a card', () => {
  it.each([
    ['6222 0212 3456 7890 128', 'ICBC'],
    ['621700', 'CCB'],
    ['６２２８４８００００', 'ABC'],
    ['621661-0000', 'BOC'],
    ['6214830000000000', 'CMB'],
    ['621098', 'PSBC'],
    ['622260', 'COMM'],
    // Named differently in the table.
    ['622518', 'SPDB'],
    ['623058', 'PAB'],
  ])('is recognized: %s is of %s', (account, code) => expect(codeOf(account)).toBe(code));

  it.each([
    ['too few digits', '62220'],
    ['no card', '9876543210'],
    ['letters', '622202A'],
    // China Merchants Bank’s cards of this prefix have 16 digits.
    ['more digits than the card has', '62148300000000001'],
    ['prefixes of two banks', '622305'],
  ])('is not guessed: %s', (_, account) => expect(codeOf(account)).toBeUndefined());

  it('waits while the digits may still be those of a longer prefix of another bank', () => {
    const prefixes = [
      { cardBin: '622202', bankName: '中国工商银行', len: 19 },
      { cardBin: '62220299', bankName: '招商银行', len: 19 },
    ];
    expect(codeOf('622202', prefixes)).toBeUndefined();
    expect(codeOf('6222020', prefixes)).toBe('ICBC');
    expect(codeOf('62220299', prefixes)).toBe('CMB');
  });

  it('is the one of that name, though the table has its code for another bank', () => {
    // The table’s BOCD is Chengde; ours is Chengdu.
    const chengde = cards.filter(({ bankName }) => bankName === '承德银行');
    expect(chengde.map(({ bankCode }) => bankCode)).toContain('BOCD');
    for (const { cardBin } of chengde) expect(codeOf(cardBin)).toBeUndefined();
    const chengdu = cards.filter(({ bankName }) => bankName === '成都银行');
    expect(chengdu.map(({ cardBin }) => codeOf(cardBin))).toContain('BOCD');
  });

  it('is known for almost all banks of the list', () => {
    const known = new Set(cards.map(({ cardBin }) => codeOf(cardBin)));
    const unknown = (banksOf.CN_BANK ?? []).map(({ code }) => code).filter((code) => !known.has(code));
    expect(unknown).toEqual(['WEBANK']);
  });

  it('is Vietnamese by the NAPAS number, on cards of 16 or 19 digits', () => {
    const vietnamese = (account: string) => bankOfCard('VN_NAPAS', account, cards)?.name;
    expect(vietnamese('9704 3600 0000 0000')).toBe('Vietcombank');
    expect(vietnamese('9704220000000000000')).toBe('MB Bank');
    expect(vietnamese('970436')).toBeUndefined();
    expect(vietnamese('6222021234567890128')).toBeUndefined();
  });

  it('is not looked for on channels without a choice of banks', () =>
    expect(bankOfCard('IN_IMPS', '6222021234567890', cards)).toBeUndefined());
});
