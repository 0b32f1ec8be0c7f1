import type { ExportList } from '@hengfu/contract/export-columns';
import type { Currency } from '@hengfu/contract/money';
import { maxHitsPerKind, type SearchKind, searchKinds } from '@hengfu/contract/search';
import { networkCodes, spellingsOf } from '@hengfu/contract/wallets';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { lastCharacter } from '#domain/list-source.sql.ts';

type Sql = RawBuilder<unknown>;
/** The lists whose exports are found; undefined: of every list. */
type Lists = readonly ExportList[] | undefined;

export interface Hit {
  kind: SearchKind;
  number: string;
  title: string | null;
  status: string;
  amountMinor: bigint | null;
  currency: Currency | null;
  createdAt: Date;
}

/** How precisely a lookup matches; lower is better. */
const rank = { exact: 0, name: 1, prefix: 2 } as const;

/** Payees and accounts that are read if many share the prefix. */
const maxParties = 20;

const newest = sql`created_at desc, id desc`;

/** The table of a kind, and how to search it. */
interface Source {
  table: string;
  number: string;
  /** The text that a hit shows, such as the payee. */
  title: Sql;
  status: Sql;
  amount: Sql;
  currency: Sql;
  /** Lookups besides the one by its own number; each reads one index entry, or a short range of an index. */
  lookups: (lookup: Lookup, text: string) => Sql[];
}

/** Selects the rows of the source that meet a condition, at most as many as are shown. */
type Lookup = (where: Sql, order?: Sql, rank?: number) => Sql;

const own = { status: sql`status`, amount: sql`amount_minor`, currency: sql`currency` };

const equals = (column: string) => (lookup: Lookup, text: string) =>
  lookup(sql`${sql.ref(column)} = ${text}`, sql`id desc`);
const byReference = equals('bank_reference');

/**
 * Matches the merchant order number exactly or by prefix; prefix matches are the last ones in the order of
 * numbers.
 */
function byOwnNumber(lookup: Lookup, text: string): Sql[] {
  const range = sql`out_trade_no > ${text} and out_trade_no < ${text + lastCharacter}`;
  return [lookup(sql`out_trade_no = ${text}`), lookup(range, sql`out_trade_no desc`, rank.prefix)];
}

const byTransaction = (lookup: Lookup, text: string) =>
  lookup(sql`network = any(${networkCodes}::text[]) and transaction_id = any(${spellingsOf(text)}::text[])`);
const byAddress = (lookup: Lookup, text: string) =>
  spellingsOf(text).map((spelling) => lookup(sql`address = ${spelling}`));

const sourceOf: Readonly<Record<SearchKind, Source>> = {
  collection: {
    ...own,
    table: 'collection',
    number: 'trade_no',
    title: sql`out_trade_no`,
    lookups: (lookup, text) => [...byOwnNumber(lookup, text), byReference(lookup, text)],
  },
  payout: {
    ...own,
    table: 'payout',
    number: 'trade_no',
    title: sql`payee`,
    lookups: (lookup, text) => [...byOwnNumber(lookup, text), byReference(lookup, text)],
  },
  topup: {
    ...own,
    table: 'topup',
    number: 'trade_no',
    title: sql`transaction_id`,
    lookups: (lookup, text) => [byTransaction(lookup, text), ...byAddress(lookup, text)],
  },
  withdrawal: {
    ...own,
    table: 'withdrawal',
    number: 'trade_no',
    title: sql`address`,
    lookups: (lookup, text) => [byTransaction(lookup, text), ...byAddress(lookup, text)],
  },
  settlement: {
    ...own,
    table: 'settlement',
    number: 'settlement_no',
    title: sql`null::text`,
    amount: sql`net_minor`,
    lookups: () => [],
  },
  export: {
    ...own,
    table: 'export_task',
    number: 'export_no',
    title: sql`file_name`,
    amount: sql`null::bigint`,
    currency: sql`null::text`,
    lookups: () => [],
  },
  batch: {
    ...own,
    table: 'payout_batch',
    number: 'batch_no',
    title: sql`name`,
    status: sql`case when finished_at is null then 'running' else 'finished' end`,
    lookups: () => [],
  },
};

function selectedColumns({ number, title, status, amount, currency }: Source): Sql {
  return sql`id, ${sql.ref(number)} as number, ${title} as title, ${status} as status, ${amount} as amount_minor,
    ${currency} as currency, created_at`;
}

/** Finds payouts whose payee or account begins with the text; exact matches first. */
function byParty(merchantId: bigint, text: string): Sql {
  const columns = selectedColumns(sourceOf.payout);
  const paid = (field: 'payee' | 'account_key') => sql`(
    select ${columns} from payout
    where merchant_id = ${merchantId} and party.field = ${sql.lit(field)} and ${sql.ref(field)} = party.value
    order by ${newest} limit ${sql.lit(maxHitsPerKind)})`;
  return sql`(
    select case when party.is_whole then ${sql.lit(rank.name)} else ${sql.lit(rank.prefix)} end as rank, paid.*
    from (select field, value, search_key = search_key(${text}) as is_whole from payout_party
      where merchant_id = ${merchantId} and search_key(${text}) <> '' and search_key >= search_key(${text})
        and search_key < search_key(${text}) || ${lastCharacter}
      order by search_key limit ${sql.lit(maxParties)}) party
    cross join lateral (${paid('payee')} union all ${paid('account_key')}) paid)`;
}

function lookupsOf(kind: SearchKind, merchantId: bigint, text: string, lists: Lists): Sql[] {
  const source = sourceOf[kind];
  const columns = selectedColumns(source);
  const lookup: Lookup = (where, order = newest, ranked = rank.exact) => sql`(
    select ${sql.lit(ranked)} as rank, ${columns} from ${sql.table(source.table)}
    where merchant_id = ${merchantId} and ${where} order by ${order} limit ${sql.lit(maxHitsPerKind)})`;
  const isShown = kind === 'export' && lists ? sql`list = any(${[...lists]}::text[])` : sql`true`;
  const byNumber = lookup(sql`${sql.ref(source.number)} = ${text.toUpperCase()} and ${isShown}`);
  const lookups = [byNumber, ...source.lookups(lookup, text)];
  return kind === 'payout' ? [...lookups, byParty(merchantId, text)] : lookups;
}

/** Builds the statement of {@link findHits}; exported so that a test can examine its plan. */
export function hitsStatement(
  merchantId: bigint,
  kinds: readonly SearchKind[],
  text: string,
  lists?: Lists,
): RawBuilder<Hit> {
  const ordered = sql`rank, created_at desc, id desc`;
  const parts = kinds.map((kind) => {
    const lookups = sql.join(lookupsOf(kind, merchantId, text, lists), sql` union all `);
    return sql`(
      select ${sql.lit(kind)} as kind, ${sql.lit(searchKinds.indexOf(kind))} as place, best.*
      from (select distinct on (id) * from (${lookups}) found order by id, rank) best
      order by ${ordered} limit ${sql.lit(maxHitsPerKind)})`;
  });
  return sql`
    select kind, number, title, status, amount_minor as "amountMinor", currency, created_at as "createdAt"
    from (${sql.join(parts, sql` union all `)}) hits order by place, ${ordered}`;
}

/** Searches some kinds in one statement; of exports, those of certain lists. */
export async function findHits(
  tx: MerchantTx,
  kinds: readonly SearchKind[],
  text: string,
  lists: Lists,
): Promise<Hit[]> {
  const { rows } = await hitsStatement(tx.merchantId, kinds, text, lists).execute(tx.query);
  return rows;
}
