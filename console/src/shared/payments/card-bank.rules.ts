import { type Bank, bankNamed, banksOf } from '@hengfu/contract/banks';
import type { ChannelCode } from '@hengfu/contract/channels';

/** The first digits of an issuer's cards (ISO/IEC 7812, "BIN"), and how long their numbers are. */
export interface CardPrefix {
  cardBin: string;
  bankName: string;
  len: number;
}

/** Issuers that the table of prefixes names differently from our list of banks. */
const ourNames: Readonly<Record<string, string>> = {
  上海浦东发展银行: '浦发银行',
  广东发展银行: '广发银行',
  北京农村商业银行: '北京农商银行',
  上海农村商业银行: '上海农商银行',
};

/** Fewer digits name no issuer. */
const minDigits = 6;
/** A card of the Vietnamese network: its first six digits are the bank's NAPAS number. */
const napasCard = /^9704\d{12}(\d{3})?$/;

/** Reads an account as the digits of a card number, typed completely or in part; undefined if it can't be one. */
export function cardDigits(account: string): string | undefined {
  const digits = account.normalize('NFKC').replaceAll(/[\s-]/g, '');
  return new RegExp(`^\\d{${minDigits},19}$`).test(digits) ? digits : undefined;
}

/**
 * Returns the bank that issued a card; undefined if the digits are no card's, or if cards of several banks begin with them.
 * Compares banks by name: the codes of the table and ours differ, and some mean another bank.
 */
export function bankOfCard(
  channel: ChannelCode,
  account: string,
  prefixes: readonly CardPrefix[],
): Bank | undefined {
  const digits = cardDigits(account);
  if (digits === undefined) return undefined;
  if (channel === 'VN_NAPAS')
    return napasCard.test(digits) ? banksOf[channel]?.find(({ code }) => digits.startsWith(code)) : undefined;
  if (channel !== 'CN_BANK') return undefined;
  const issuers = issuersOf(digits, prefixes);
  const [only] = issuers;
  return only !== undefined && issuers.size === 1 ? bankNamed(channel, ourNames[only] ?? only) : undefined;
}

/** The issuers whose cards may have these first digits: those of the longest prefix, and of those not yet typed in full. */
function issuersOf(digits: string, prefixes: readonly CardPrefix[]): ReadonlySet<string> {
  const possible = prefixes.filter(({ len }) => digits.length <= len);
  const matching = possible.filter(({ cardBin }) => digits.startsWith(cardBin));
  const longest = Math.max(0, ...matching.map(({ cardBin }) => cardBin.length));
  const unfinished = possible.filter(
    ({ cardBin }) => cardBin.length > digits.length && cardBin.startsWith(digits),
  );
  const found = [...matching.filter(({ cardBin }) => cardBin.length === longest), ...unfinished];
  return new Set(found.map(({ bankName }) => bankName));
}
