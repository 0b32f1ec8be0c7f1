import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { PagePath } from '../menu.ts';

/** Pages by the letter that opens them after `g`. */
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

/** The pages of the actions that create an order. */
export const creationPaths = {
  payout: '/behalfPay/apply',
  collection: '/collection/new',
} as const satisfies Record<string, PagePath>;

/** Actions of single keys. */
export const singleKeys = {
  '/': 'filter',
  n: 'payout',
  c: 'collection',
  '?': 'help',
} as const;
type SingleAction = (typeof singleKeys)[keyof typeof singleKeys];

/** Name of each single-key action in the help. */
export const actionTitles: Readonly<Record<SingleAction, PhraseKey>> = {
  filter: 'search.help.filter',
  payout: 'search.action.payout',
  collection: 'search.action.collection',
  help: 'search.action.help',
};

/** Milliseconds in which the letter must follow `g`. */
export const letterWithinMs = 1500;

/** The page that a single key opens; undefined if it does something else. */
export function creationPathOf(action: SingleAction): PagePath | undefined {
  return entryOf(creationPaths, action);
}

/** The action of a key. `prefix`: the next key is the letter of a page. */
export type Shortcut = { page: PagePath } | { action: SingleAction } | 'prefix' | undefined;

function entryOf<T extends object>(table: T, key: string): T[keyof T] | undefined {
  return Object.hasOwn(table, key) ? table[key as keyof T] : undefined;
}

/** The shortcut of a key typed outside of any field. `isAfterPrefix`: the previous key was `g`. */
export function shortcutFor(key: string, isAfterPrefix: boolean): Shortcut {
  const letter = key.toLowerCase();
  if (isAfterPrefix) {
    const page = entryOf(pageKeys, letter);
    return page && { page };
  }
  if (letter === 'g') return 'prefix';
  const action = entryOf(singleKeys, letter);
  return action && { action };
}

/** The key sequence that opens a page; empty if the page has no letter. */
export function keysOf(path: PagePath): string[] {
  const letter = Object.entries(pageKeys).find(([, page]) => page === path)?.[0];
  return letter === undefined ? [] : ['G', letter.toUpperCase()];
}
