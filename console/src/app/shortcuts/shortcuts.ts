import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { PagePath } from '../menu.ts';

/** The letter that leads to each page, after `g`. */
export const pageKeys = {
  d: '/dashboard',
  p: '/collection/payments',
  l: '/collection/Settlements',
  a: '/behalfPay/apply',
  s: '/behalfPay/transfers',
  t: '/recharge/topup',
  u: '/recharge/record',
  w: '/withdrawal/apply',
  v: '/withdrawal/record',
  f: '/fund/fundWater',
  r: '/fund/dailyReport',
  o: '/setting/personalData',
  e: '/lineExport',
  c: '/contactUs',
} as const satisfies Record<string, PagePath>;

/** Where `n` leads. */
export const payoutPath: PagePath = '/behalfPay/apply';

/** What one key does by itself. */
export const singleKeys = {
  '/': 'filter',
  n: 'payout',
  '?': 'help',
} as const;
type SingleAction = (typeof singleKeys)[keyof typeof singleKeys];

/** What each of them is called in the help. */
export const actionTitles: Readonly<Record<SingleAction, PhraseKey>> = {
  filter: 'search.help.filter',
  payout: 'search.action.payout',
  help: 'search.action.help',
};

/** Milliseconds in which the letter must follow `g`. */
export const letterWithinMs = 1500;

/** What a key asks for. `prefix`: the letter of a page follows. */
export type Asked = { page: PagePath } | { action: SingleAction } | 'prefix' | undefined;

function entryOf<T extends object>(table: T, key: string): T[keyof T] | undefined {
  return Object.hasOwn(table, key) ? table[key as keyof T] : undefined;
}

/** Reads one key that was typed outside of any field; `isAfterPrefix` where `g` was the one before. */
export function askedBy(key: string, isAfterPrefix: boolean): Asked {
  const letter = key.toLowerCase();
  if (isAfterPrefix) {
    const page = entryOf(pageKeys, letter);
    return page && { page };
  }
  if (letter === 'g') return 'prefix';
  const action = entryOf(singleKeys, letter);
  return action && { action };
}

/** The keys that lead to a page, one after the other; none where it has no letter. */
export function keysOf(path: PagePath): string[] {
  const letter = Object.entries(pageKeys).find(([, page]) => page === path)?.[0];
  return letter === undefined ? [] : ['G', letter.toUpperCase()];
}
