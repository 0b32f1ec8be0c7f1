/** The sums of an account’s entries in a month, and the last one of them. Amounts are in minor units. */
export interface EntrySum {
  merchantId: bigint;
  accountId: bigint;
  count: bigint;
  creditMinor: bigint;
  debitMinor: bigint;
  lastVersion: bigint;
  lastAt: Date;
  balanceAfterMinor: bigint;
  inflowAfterMinor: bigint;
}

/** An archived entry, with exact amounts in minor units. */
export interface EntryRow {
  merchantId: bigint;
  accountId: bigint;
  version: bigint;
  transferId: bigint;
  amountMinor: bigint;
  balanceAfterMinor: bigint;
  inflowAfterMinor: bigint;
  createdAt: Date;
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/** Reads whole numbers as they are written: amounts may have more digits than a number can hold. */
const exact: Reviver = (_, value, { source }) =>
  typeof value === 'number' && source !== undefined ? BigInt(source) : value;

/** Parses a line of an archived month of entries. */
export function toEntry(line: string): EntryRow {
  const row: Readonly<Record<string, unknown>> = JSON.parse(line, exact as Parameters<typeof JSON.parse>[1]);
  const whole = (name: string): bigint => {
    const value = row[name];
    if (typeof value !== 'bigint') throw new Error(`an archived entry has no ${name}`);
    return value;
  };
  return {
    merchantId: whole('merchant_id'),
    accountId: whole('account_id'),
    version: whole('version'),
    transferId: whole('transfer_id'),
    amountMinor: whole('amount_minor'),
    balanceAfterMinor: whole('balance_after_minor'),
    inflowAfterMinor: whole('inflow_after_minor'),
    createdAt: new Date(String(row.created_at)),
  };
}

/** Adds up the entries of a file by account. Memory holds one sum per account. */
export class EntryAdder {
  readonly #sums = new Map<string, EntrySum>();

  readonly add = (line: string): void => {
    const { merchantId, accountId, amountMinor, ...entry } = toEntry(line);
    const key = `${merchantId} ${accountId}`;
    const sum = this.#sums.get(key);
    this.#sums.set(key, {
      merchantId,
      accountId,
      count: (sum?.count ?? 0n) + 1n,
      creditMinor: (sum?.creditMinor ?? 0n) + (amountMinor > 0n ? amountMinor : 0n),
      debitMinor: (sum?.debitMinor ?? 0n) - (amountMinor < 0n ? amountMinor : 0n),
      lastVersion: entry.version,
      lastAt: entry.createdAt,
      balanceAfterMinor: entry.balanceAfterMinor,
      inflowAfterMinor: entry.inflowAfterMinor,
    });
  };

  /** Describes the first difference from the sums that are recorded; undefined if there is none. */
  differenceFrom(recorded: readonly EntrySum[]): string | undefined {
    const found = new Map(this.#sums);
    for (const sum of recorded) {
      const key = `${sum.merchantId} ${sum.accountId}`;
      const of = `account ${sum.accountId} of merchant ${sum.merchantId}`;
      const inFile = found.get(key);
      if (!inFile) return `no entries of ${of}`;
      const field = sumFields.find((name) => String(textOf(inFile[name])) !== String(textOf(sum[name])));
      if (field) return `${field} of ${of}: ${textOf(inFile[field])}, not ${textOf(sum[field])}`;
      found.delete(key);
    }
    const [extra] = found.values();
    return extra && `entries of account ${extra.accountId} of merchant ${extra.merchantId}, which has no sum`;
  }
}

const sumFields = [
  'count',
  'creditMinor',
  'debitMinor',
  'lastVersion',
  'lastAt',
  'balanceAfterMinor',
  'inflowAfterMinor',
] as const satisfies readonly (keyof EntrySum)[];

const textOf = (value: bigint | Date) => (value instanceof Date ? value.toISOString() : value);
