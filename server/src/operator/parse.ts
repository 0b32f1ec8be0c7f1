import { maxKeyName } from '@hengfu/contract/access-keys';
import { type KeyScope, keyScopes } from '@hengfu/contract/key-scopes';
import { type Currency, currencies, parseAmount } from '@hengfu/contract/money';
import { type Perm, perms, type RoleCode, roles } from '@hengfu/contract/permissions';
import { isZone } from '@hengfu/contract/profile';
import { inOrder, ownRoleCode } from '@hengfu/contract/role-codes';
import { emailAddress } from '@hengfu/contract/session';
import { isVisible } from '@hengfu/contract/visible-text';
import { InvalidArgumentError } from 'commander';
import { blockText, parseBlock } from '#security/addresses.ts';

/** Returns a parser for an option that takes one of a few values. */
export function oneOf<const V extends readonly string[]>(values: V): (text: string) => V[number] {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new InvalidArgumentError(`one of ${values.join(', ')}`);
    return found;
  };
}

export const currencyOption: (text: string) => Currency = oneOf(currencies);
/** Parses a role: one that every merchant has, or the code of one of the merchant's own. */
export function roleOption(text: string): RoleCode {
  const own = ownRoleCode.safeParse(text);
  return own.success ? own.data : oneOf(roles)(text);
}

/** Parses the email address of a person, as accounts store it. */
export function emailOption(text: string): string {
  const address = emailAddress.safeParse(text);
  if (!address.success) throw new InvalidArgumentError('an email address, such as ann@acme.test');
  return address.data;
}

/** The option `--email`, with what a command says about it. */
export type EmailOption = readonly ['--email <email>', string, typeof emailOption];

/** Parses a permission of an option that can be repeated. */
export function permsOption(text: string, before: readonly Perm[] = []): Perm[] {
  return [...before, oneOf(perms)(text)];
}

/** Parses a role of an option that can be repeated. */
export function rolesOption(text: string, before: readonly RoleCode[] = []): RoleCode[] {
  return inOrder([...before, roleOption(text)]);
}

/** Parses a scope of an access key, of an option that can be repeated. */
export function scopesOption(text: string, before: readonly KeyScope[] = []): KeyScope[] {
  const chosen = [...before, oneOf(keyScopes)(text)];
  return keyScopes.filter((scope) => chosen.includes(scope));
}

/** Parses the name of an access key, on one line. */
export function keyNameOption(text: string): string {
  const name = text.trim().normalize('NFC');
  if (name === '' || name.length > maxKeyName || /[\p{Cc}\p{Cs}]/u.test(name))
    throw new InvalidArgumentError(`a name of at most ${maxKeyName} characters, on one line`);
  return name;
}

const ppmPerPercent = 10_000;

/** Parses a rate in percent with up to four decimals, such as "0.6%" or "0.6", as parts per million. */
export function rateOption(text: string): number {
  if (!/^\d{1,2}(\.\d{1,4})?%?$/.test(text))
    throw new InvalidArgumentError('a rate in percent, such as 0.6%');
  return Math.round(Number.parseFloat(text) * ppmPerPercent);
}

/** Formats parts per million as a percentage: "0.6%". */
export function rateText(ppm: number): string {
  return `${ppm / ppmPerPercent}%`;
}

/** Parses an IANA time zone that this machine knows. */
export function zoneOption(text: string): string {
  if (!isZone(text)) throw new InvalidArgumentError('an IANA time zone, such as Asia/Shanghai');
  return text;
}

/** Parses a local time of day, HH:MM. */
export function timeOption(text: string): string {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) throw new InvalidArgumentError('a time of day, such as 00:00');
  return text;
}

/** Returns a parser for a number of months, at least so many. */
export function monthsOption(least: number): (text: string) => number {
  return (text) => {
    const months = /^\d{1,4}$/.test(text) ? Number(text) : 0;
    if (months < least) throw new InvalidArgumentError(`a number of months, ${least} or more`);
    return months;
  };
}

/** Parses a month, YYYY-MM. */
export function monthOption(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError('a month, such as 2026-01');
  return text;
}

/** Parses a moment in ISO 8601. The zone is required: a server and its operator may be in different ones. */
export function momentOption(text: string): Date {
  const isComplete = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const moment = new Date(text);
  if (!isComplete || Number.isNaN(moment.getTime()))
    throw new InvalidArgumentError('a moment with its time zone, such as 2026-01-31T09:30:00Z');
  return moment;
}

const maxReasonLength = 500;
/** A reason that a second person, or everybody of our staff, reads. */
const maxNoteLength = 300;

/** Parses the reason for an action, on one line. */
export function reasonOption(text: string): string {
  return oneLine(text, maxReasonLength);
}

/** Parses the reason for something that two people agree to, or that all of our staff are told, on one line. */
export function noteOption(text: string): string {
  return oneLine(text, maxNoteLength);
}

function oneLine(text: string, maxLength: number): string {
  const reason = text.trim().normalize('NFC');
  if (!isVisible(reason) || reason.length > maxLength || /[\p{Cc}\p{Cs}]/u.test(reason))
    throw new InvalidArgumentError(`a reason of at most ${maxLength} characters, on one line`);
  return reason;
}

/** Parses an amount as minor units of a currency. */
export function amountIn(text: string, currency: Currency): bigint {
  const amountMinor = parseAmount(text, currency);
  if (amountMinor === undefined)
    throw new InvalidArgumentError(`${text} is not a valid amount in ${currency}`);
  return amountMinor;
}

/** Parses an IP address or CIDR block, and appends it to those before. */
export function blockOption(text: string, before: string[] = []): string[] {
  const block = parseBlock(text);
  if (!block)
    throw new InvalidArgumentError('an IP address or CIDR block, such as 203.0.113.7 or 2001:db8::/32');
  return [...before, blockText(block)];
}
