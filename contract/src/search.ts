import * as z from 'zod';
import { collectionStatuses } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { exportStatuses } from './exports.ts';
import { instant } from './lists.ts';
import { amount, currency } from './money.ts';
import { payoutStatuses } from './payouts.ts';
import type { Perm } from './permissions.ts';
import { phrase } from './phrase.ts';
import { batchStatuses } from './settlements.ts';
import { topupStatuses } from './topups.ts';
import { withdrawalStatuses } from './withdrawals.ts';

/** The states of a payout batch: `running` while it has waiting rows. */
export const payoutBatchStates = ['running', 'finished'] as const;

/** The kinds of search results, in display order. */
export const searchKinds = [
  'collection',
  'payout',
  'topup',
  'withdrawal',
  'settlement',
  'export',
  'batch',
] as const;
export type SearchKind = (typeof searchKinds)[number];

/** The permission required to find results of a kind. */
export const permOfKind: Readonly<Record<SearchKind, Perm>> = {
  collection: 'collections.read',
  payout: 'payouts.read',
  topup: 'topups.read',
  withdrawal: 'withdrawals.read',
  settlement: 'settlements.read',
  export: 'exports.read',
  batch: 'payouts.read',
};

/** Maximum results of one kind. */
export const maxHitsPerKind = 5;

const minLength = 3;
const minHanLength = 2;
const maxLength = 100;

/** Whether a text can be searched for: three characters, or two if one is Chinese, as in names. */
export function isSearchable(text: string): boolean {
  const length = [...text.trim()].length;
  return length <= maxLength && length >= (/\p{Script=Han}/u.test(text) ? minHanLength : minLength);
}

function hit<const K extends SearchKind, S extends readonly [string, ...string[]]>(kind: K, statuses: S) {
  return z.object({
    kind: z.literal(kind),
    /** Its public number, as in its own list. */
    number: z.string(),
    /** A recognizable label: the merchant's own number, the payee, the transaction, the wallet, the file. */
    title: z.string().nullable(),
    status: z.enum(statuses),
    /** Null if it has no amount. For a settlement, its net amount. */
    amount: amount.nullable(),
    currency: currency.nullable(),
    createdAt: instant,
  });
}

export const searchHit = z.discriminatedUnion('kind', [
  hit('collection', collectionStatuses),
  hit('payout', payoutStatuses),
  hit('topup', topupStatuses),
  hit('withdrawal', withdrawalStatuses),
  hit('settlement', batchStatuses),
  hit('export', exportStatuses),
  hit('batch', payoutBatchStates),
]);
export type SearchHit = z.output<typeof searchHit>;

export const searchEndpoints = {
  find: endpoint({
    method: 'GET',
    path: '/api/merchant/search',
    summary:
      'Searches orders and batches by number, payee, account, bank reference, transaction hash or wallet address: up to five of a kind, exact numbers first, then newest. Only kinds that the caller may read.',
    access: 'session',
    query: z.strictObject({
      q: z
        .string(phrase('validation.searchText'))
        .trim()
        .refine(isSearchable, phrase('validation.searchText')),
    }),
    status: 200,
    reply: z.object({ data: z.array(searchHit) }),
    errors: [],
  }),
};
