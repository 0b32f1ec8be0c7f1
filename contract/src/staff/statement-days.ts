import * as z from 'zod';
import { channelCodes } from '../channels.ts';
import { instant } from '../lists.ts';
import { amount, currency } from '../money.ts';
import { phrase } from '../phrase.ts';

export const statementFormats = ['csv', 'camt053'] as const;
export type StatementFormat = (typeof statementFormats)[number];

/** `missing`: a day between the channel's first statement and yesterday that has none. */
export const dayStates = ['missing', 'loading', 'failed', 'open', 'closed'] as const;
export type DayState = (typeof dayStates)[number];
/** The states of a statement. */
export type StatementState = Exclude<DayState, 'missing'>;

/**
 * Kinds of differences between a statement and the ledger: a movement that only one of them has, another amount, a movement that
 * the other one has on another day, and a line that repeats one.
 */
export const differenceKinds = ['oursOnly', 'theirsOnly', 'amount', 'otherDay', 'duplicate'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** `explained` and `adjusted` are final answers: a day with others cannot be closed. */
export const differenceStates = ['open', 'waiting', 'explained', 'adjusted'] as const;
export type DifferenceState = (typeof differenceStates)[number];

/** Why a file cannot be read. Each has a phrase, `officeReconciliation.fault.<code>`. */
export const statementFaults = [
  'encoding',
  'tooLong',
  'tooLarge',
  'quotes',
  'headings',
  'columns',
  'amount',
  'date',
  'currency',
  'reference',
  'markup',
  'doctype',
  'notCamt',
  'severalStatements',
  'day',
  'sum',
  'count',
  'balances',
  'unpacking',
  'interrupted',
] as const;
export type StatementFault = (typeof statementFaults)[number];

/** Bytes of an uploaded file, which may be packed with gzip, and of what it holds. */
export const statementLimits = {
  uploadBytes: 512 * 1024 * 1024,
  unpackedBytes: 4 * 1024 * 1024 * 1024,
  lines: 5_000_000,
} as const;

/** More unresolved differences of a day are not counted. */
export const unresolvedLimit = 10_000;

/** Differences of one page. */
export const differencesPerPage = 100;

export const statementChannel = z.enum(channelCodes, phrase('validation.choice'));
/** One day of a channel. Amounts are as the bank sees them: positive came in. */
export const statementDay = z.object({
  channel: statementChannel,
  currency,
  day: z.string(),
  state: z.enum(dayStates),
  format: z.enum(statementFormats).nullable(),
  fileName: z.string().nullable(),
  /** The fault of a failed statement, and the line where it is; 0 for the whole file. */
  fault: z.enum(statementFaults).nullable(),
  faultLine: z.number().int().nullable(),
  lines: z.number().int(),
  /** Sum of all lines, and what moved on the clearing accounts of all live merchants. */
  statement: amount.nullable(),
  clearing: amount.nullable(),
  /** Statement less clearing. */
  difference: amount.nullable(),
  /** How many differences are open or waiting, up to {@link unresolvedLimit}. */
  unresolved: z.number().int(),
  uploadedAt: instant.nullable(),
  closedAt: instant.nullable(),
});
export type StatementDay = z.output<typeof statementDay>;

export const dayDetail = statementDay.extend({
  startsAt: instant,
  endsAt: instant,
  in: amount,
  out: amount,
  /** The balances that the file states. */
  opening: amount.nullable(),
  closing: amount.nullable(),
  matched: z.number().int(),
  /** How many differences there are of each kind. */
  kinds: z.record(z.enum(differenceKinds), z.number().int()),
  /** Sum of the differences. It equals `difference`, unless the clearing accounts have moved since. */
  found: amount,
  uploadedBy: z.string(),
  closedBy: z.string().nullable(),
});
export type DayDetail = z.output<typeof dayDetail>;

export const difference = z.object({
  id: z.string(),
  kind: z.enum(differenceKinds),
  state: z.enum(differenceStates),
  /** Our number as the bank wrote it; empty if it wrote none. */
  reference: z.string(),
  line: z.number().int().nullable(),
  theirs: amount.nullable(),
  ours: amount.nullable(),
  /** The day on which the other side has it. */
  otherDay: z.string().nullable(),
  /** The order, as far as it is known: its number, and the code of its merchant. */
  number: z.string().nullable(),
  merchant: z.string().nullable(),
  bankReference: z.string().nullable(),
  text: z.string().nullable(),
  note: z.string().nullable(),
  /** The person who decided; null for the matching itself. */
  decidedBy: z.string().nullable(),
  decidedAt: instant.nullable(),
});
export type Difference = z.output<typeof difference>;

export const statementLine = z.object({
  line: z.number().int(),
  reference: z.string(),
  amount,
  valueDay: z.string().nullable(),
  bankReference: z.string(),
  text: z.string(),
  /** The difference that it belongs to; null if it matches. */
  kind: z.enum(differenceKinds).nullable(),
});
export type StatementLine = z.output<typeof statementLine>;
