import pg from 'pg';
import type { Placement } from '#db/placement.ts';

/** Merchants of tests have numbers from here on, which nothing else in a statement looks like. */
export const firstTestMerchant = 7_000_000_001n;
const merchantPattern = /\b70000000\d\d\b/g;
/** Rows of a reply that are searched for merchants. */
const maxRows = 50;

/** Two pretended machines, for odd and even merchants. */
export const pretendedPlacement: Placement = (merchantId) => (merchantId % 2n === 0n ? 'even' : 'odd');

/**
 * Statements that may involve every machine: they run in the background or for our staff, at a rate that does not grow with the
 * orders. Each is known by a part of its text.
 */
const acrossPlacements: readonly { part: RegExp; reason: string }[] = [
  {
    part: /^\s*select (?:(?!from)[\s\S])*from "?(?:staff_)?merchant"?\b(?![\s\S]*\b(?:from|join)\b)/,
    reason: 'reads merchants only, which are on every machine',
  },
  {
    part: /from membership p join merchant m on m\.id = p\.merchant_id join app_user u /,
    reason: 'reads memberships and merchants, which are on every machine, of one person',
  },
  {
    part: /from "app_user" as "u" inner join "membership" as "p" .* for update of "u"/s,
    reason: 'the same, for operators',
  },
  {
    part: /from audit\s+where action in \('email\.change'/,
    reason: 'finds who had an email before, in the trails of all merchants, for operators',
  },
  {
    part: /^select "key_id", "merchant_id" from "access_key_directory"/,
    reason: 'reads the directory of access keys, which is on every machine',
  },
  {
    part: /^delete from "session" where "user_id" = /,
    reason: 'ends the sessions of one person at all merchants; sessions are in one place',
  },
  {
    part: /^\s*update session set merchant_id = /,
    reason: 'moves the sessions of a wiped test merchant to the next one; sessions are in one place',
  },
  {
    part: /from claim_merchant_jobs\(/,
    reason: 'claims jobs from the queue, which is in one place; each then runs for its merchant',
  },
  {
    part: /insert into archived_(part|entry_sum|split_transfer) /,
    reason: 'describes the file of an archived month, once',
  },
  {
    part: /from ledger_entry e (?:join|where) [^;]*group by e\.merchant_id/,
    reason: 'adds up the entries of a month before it is archived, once',
  },
  {
    part: /from archived_entry_sum where month = /,
    reason: 'compares the sums of an archived month with its file, for operators',
  },
  {
    part: /from audit a where a\.id > [\s\S]* group by 1|insert into audit_seal /,
    reason: 'seals the audit rows of a few seconds, in one place at a time',
  },
  {
    part: /from audit_seal\s+where root_number between|union select merchant_id from audit_seal/,
    reason: 'proves the seals, for operators',
  },
  {
    part: /cross join lateral \(\s+select [\s\S]* from "staff_(payout|collection)" o/,
    reason: 'lists the orders of all merchants, for our staff',
  },
  {
    part: /from "?staff_(topup|withdrawal)"?[\s\S]* limit/,
    reason: 'lists what waits at all merchants, for our staff',
  },
  {
    part: /reconciliation_difference|staff_clearing_(day|of)\(/,
    reason:
      'compares the statement of a channel with the clearing accounts of all merchants, once a day, for our staff',
  },
  {
    part: /from staff_audit a\b/,
    reason: 'reads the audit trail of all merchants, for our staff',
  },
  {
    part: /from staff_alone\s+where \(?actor (= |like 'operator:%')/,
    reason: 'adds up what one of our staff, or operators, have done alone, which is in one place',
  },
  {
    part: /select m\.id from merchant m\s+where m\.retired_at is null and not exists/,
    reason: 'looks for days to close, once a night',
  },
];

const crossings = new Set<string>();

/** Returns the statements since the last call that involved merchants of several placements without being among those. */
export function takeCrossings(): string[] {
  const taken = [...crossings];
  crossings.clear();
  return taken;
}

/** Notes which merchants each statement of the process's connections names, in its text, its values and its reply. */
export function watchPlacements(): void {
  const { prototype } = pg.Client;
  // biome-ignore lint/suspicious/noExplicitAny: the method has a dozen signatures.
  const original = prototype.query as (...given: any[]) => any;
  prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const answer = original.apply(this, given);
    const [statement] = given;
    const { text = String(statement), values = given[1] } =
      typeof statement === 'object' && statement !== null ? (statement as pg.QueryConfig) : {};
    if (answer instanceof Promise)
      answer.then(
        ({ rows }) => note(text, values, rows),
        () => note(text, values, []),
      );
    return answer;
  } as typeof prototype.query;
}

function note(text: string, values: unknown, rows: unknown): void {
  const shown = `${text} ${textOf(values)} ${Array.isArray(rows) ? textOf(rows.slice(0, maxRows)) : ''}`;
  const placements = new Set(
    (shown.match(merchantPattern) ?? []).map((id) => pretendedPlacement(BigInt(id))),
  );
  if (placements.size > 1 && !acrossPlacements.some(({ part }) => part.test(text))) crossings.add(text);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? '';
}
