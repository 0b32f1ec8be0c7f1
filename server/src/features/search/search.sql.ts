import type { Currency } from '@hengfu/contract/money';
import { maxHitsPerKind, type SearchKind, searchKinds } from '@hengfu/contract/search';
import { networkCodes, spellingsOf } from '@hengfu/contract/wallets';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

type Sql = RawBuilder<unknown>;

/** A hit as it is read. */
export interface Hit {
  kind: SearchKind;
  number: string;
  title: string | null;
  status: string;
  amountMinor: bigint | null;
  currency: Currency | null;
  createdAt: Date;
}

/** How well a way of looking tells what was meant: the less, the better. */
const rank = { whole: 0, name: 1, beginning: 2 } as const;

/** Sorts behind every text that begins the same. */
const highest = '\u{10FFFF}';

/** Payees and accounts that are looked at where many begin the same. */
const partiesLookedAt = 20;

const newest = sql`created_at desc, id desc`;

/** Where things of a kind stand, and how one is looked for. */
interface Source {
  table: string;
  number: string;
  /** What a hit shows of it; a payee, where the kind has one. */
  title: Sql;
  status: Sql;
  amount: Sql;
  currency: Sql;
  /** Ways beside its own number; each is one probe of an index, or a range of it that ends after some rows. */
  ways: (look: Look, text: string) => Sql[];
}

/** Rows of the source that meet a condition, at most as many as are shown. */
type Look = (where: Sql, order?: Sql, rank?: number) => Sql;

const own = { status: sql`status`, amount: sql`amount_minor`, currency: sql`currency` };

const equals = (column: string) => (look: Look, text: string) =>
  look(sql`${sql.ref(column)} = ${text}`, sql`id desc`);
const byReference = equals('bank_reference');

/** The merchant's own number, whole or by its beginning; of those that begin so, the last in the order of numbers. */
function byOwnNumber(look: Look, text: string): Sql[] {
  const range = sql`out_trade_no > ${text} and out_trade_no < ${text + highest}`;
  return [look(sql`out_trade_no = ${text}`), look(range, sql`out_trade_no desc`, rank.beginning)];
}

const byTransaction = (look: Look, text: string) =>
  look(sql`network = any(${networkCodes}::text[]) and transaction_id = any(${spellingsOf(text)}::text[])`);
const byAddress = (look: Look, text: string) =>
  spellingsOf(text).map((spelling) => look(sql`address = ${spelling}`));

const sourceOf: Readonly<Record<SearchKind, Source>> = {
  collection: {
    ...own,
    table: 'collection',
    number: 'trade_no',
    title: sql`out_trade_no`,
    ways: (look, text) => [...byOwnNumber(look, text), byReference(look, text)],
  },
  payout: {
    ...own,
    table: 'payout',
    number: 'trade_no',
    title: sql`payee`,
    ways: (look, text) => [...byOwnNumber(look, text), byReference(look, text)],
  },
  topup: {
    ...own,
    table: 'topup',
    number: 'trade_no',
    title: sql`transaction_id`,
    ways: (look, text) => [byTransaction(look, text), ...byAddress(look, text)],
  },
  withdrawal: {
    ...own,
    table: 'withdrawal',
    number: 'trade_no',
    title: sql`address`,
    ways: (look, text) => [byTransaction(look, text), ...byAddress(look, text)],
  },
  settlement: {
    ...own,
    table: 'settlement',
    number: 'settlement_no',
    title: sql`null::text`,
    amount: sql`net_minor`,
    ways: () => [],
  },
  export: {
    ...own,
    table: 'export_task',
    number: 'export_no',
    title: sql`file_name`,
    amount: sql`null::bigint`,
    currency: sql`null::text`,
    ways: () => [],
  },
  batch: {
    ...own,
    table: 'payout_batch',
    number: 'batch_no',
    title: sql`name`,
    status: sql`case when finished_at is null then 'running' else 'finished' end`,
    ways: () => [],
  },
};

function selectedColumns({ number, title, status, amount, currency }: Source): Sql {
  return sql`id, ${sql.ref(number)} as number, ${title} as title, ${status} as status, ${amount} as amount_minor,
    ${currency} as currency, created_at`;
}

/** Payouts to payees, and to accounts, that begin so: those that are called just so first. */
function byParty(merchantId: bigint, text: string): Sql {
  const columns = selectedColumns(sourceOf.payout);
  const paid = (field: 'payee' | 'account_key') => sql`(
    select ${columns} from payout
    where merchant_id = ${merchantId} and party.field = ${sql.lit(field)} and ${sql.ref(field)} = party.value
    order by ${newest} limit ${sql.lit(maxHitsPerKind)})`;
  return sql`(
    select case when party.is_whole then ${sql.lit(rank.name)} else ${sql.lit(rank.beginning)} end as rank, paid.*
    from (select field, value, search_key = search_key(${text}) as is_whole from payout_party
      where merchant_id = ${merchantId} and search_key(${text}) <> '' and search_key >= search_key(${text})
        and search_key < search_key(${text}) || ${highest}
      order by search_key limit ${sql.lit(partiesLookedAt)}) party
    cross join lateral (${paid('payee')} union all ${paid('account_key')}) paid)`;
}

function waysTo(kind: SearchKind, merchantId: bigint, text: string): Sql[] {
  const source = sourceOf[kind];
  const columns = selectedColumns(source);
  const look: Look = (where, order = newest, ranked = rank.whole) => sql`(
    select ${sql.lit(ranked)} as rank, ${columns} from ${sql.table(source.table)}
    where merchant_id = ${merchantId} and ${where} order by ${order} limit ${sql.lit(maxHitsPerKind)})`;
  const byNumber = look(sql`${sql.ref(source.number)} = ${text.toUpperCase()}`);
  const ways = [byNumber, ...source.ways(look, text)];
  return kind === 'payout' ? [...ways, byParty(merchantId, text)] : ways;
}

/** The statement of {@link findHits}, for whoever wants to see how it is carried out. */
export function hitsStatement(
  merchantId: bigint,
  kinds: readonly SearchKind[],
  text: string,
): RawBuilder<Hit> {
  const ordered = sql`rank, created_at desc, id desc`;
  const parts = kinds.map((kind) => {
    const ways = sql.join(waysTo(kind, merchantId, text), sql` union all `);
    return sql`(
      select ${sql.lit(kind)} as kind, ${sql.lit(searchKinds.indexOf(kind))} as place, best.*
      from (select distinct on (id) * from (${ways}) found order by id, rank) best
      order by ${ordered} limit ${sql.lit(maxHitsPerKind)})`;
  });
  return sql`
    select kind, number, title, status, amount_minor as "amountMinor", currency, created_at as "createdAt"
    from (${sql.join(parts, sql` union all `)}) hits order by place, ${ordered}`;
}

/** What a text finds of some kinds, in one statement. */
export async function findHits(tx: MerchantTx, kinds: readonly SearchKind[], text: string): Promise<Hit[]> {
  const { rows } = await hitsStatement(tx.merchantId, kinds, text).execute(tx.query);
  return rows;
}
