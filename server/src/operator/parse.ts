import { type Currency, currencies, parseAmount } from '@hengfu/contract/money';
import { type Role, roles } from '@hengfu/contract/permissions';
import { isZone } from '@hengfu/contract/profile';
import { InvalidArgumentError } from 'commander';
import ipaddr from 'ipaddr.js';

/** Reads an option that takes one of a few values. */
export function oneOf<const V extends readonly string[]>(values: V): (text: string) => V[number] {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new InvalidArgumentError(`one of ${values.join(', ')}`);
    return found;
  };
}

export const currencyOption: (text: string) => Currency = oneOf(currencies);
export const roleOption: (text: string) => Role = oneOf(roles);

/** A rate in percent with up to four decimals, "0.6", as parts per million. */
export function rateOption(text: string): number {
  if (!/^\d{1,2}(\.\d{1,4})?$/.test(text)) throw new InvalidArgumentError('a rate in percent, such as 0.6');
  return Math.round(Number(text) * 10_000);
}

/** An IANA zone that this machine knows. */
export function zoneOption(text: string): string {
  if (!isZone(text)) throw new InvalidArgumentError('an IANA zone, such as Asia/Shanghai');
  return text;
}

/** A local time of day, HH:MM. */
export function timeOption(text: string): string {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) throw new InvalidArgumentError('a time of day, such as 00:00');
  return text;
}

/** Minor units of an amount in a currency. */
export function amountIn(text: string, currency: Currency): bigint {
  const amountMinor = parseAmount(text, currency);
  if (amountMinor === undefined) throw new InvalidArgumentError(`${text} is not an amount of ${currency}`);
  return amountMinor;
}

/** An address or CIDR block, as a block. */
export function blockOption(text: string, before: string[] = []): string[] {
  if (ipaddr.isValidCIDR(text)) return [...before, text];
  if (!ipaddr.isValid(text))
    throw new InvalidArgumentError('an address or CIDR block, such as 203.0.113.7 or 2001:db8::/32');
  return [...before, `${text}/${ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128}`];
}
