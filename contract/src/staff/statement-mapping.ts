import * as z from 'zod';
import { phrase } from '../phrase.ts';
import { isZone } from '../profile.ts';

/** Separators of cells, by the names that forms show. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const;
export type Delimiter = keyof typeof delimiters;

/** Encodings of CSV files. A byte order mark decides by itself. */
export const statementEncodings = ['utf-8', 'gb18030'] as const;

/** The order of year, month and day in dates. The separators do not matter. */
export const dateOrders = ['ymd', 'dmy', 'mdy'] as const;
export type DateOrder = (typeof dateOrders)[number];

const separated = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})(?:[ T].*)?$/;
const compact = /^(\d{4})(\d{2})(\d{2})(?:\d{6})?$/;

/** Parses a date of a statement, with or without a time after it. Undefined if there is no such day. */
export function parseStatementDay(text: string, order: DateOrder = 'ymd'): string | undefined {
  const bare = text.trim();
  const [, one, two, three] = (order === 'ymd' ? compact.exec(bare) : null) ?? separated.exec(bare) ?? [];
  if (one === undefined || two === undefined || three === undefined) return undefined;
  const [year, month, day] = {
    ymd: [one, two, three],
    dmy: [three, two, one],
    mdy: [three, one, two],
  }[order] as [string, string, string];
  if (year.length !== 4) return undefined;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(`${iso}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== iso || year < '2000'
    ? undefined
    : iso;
}

/** How a channel writes amounts: with a sign, in a column for each direction, or beside a word that says the direction. */
export const amountForms = ['signed', 'twoColumns', 'marked'] as const;
export type AmountForm = (typeof amountForms)[number];

const maxHeadingLength = 100;
const maxHeadingRow = 50;

const heading = z.string().trim().max(maxHeadingLength, phrase('validation.choice')).default('');
const neededHeading = heading.refine((text) => text !== '', phrase('officeReconciliation.columnRequired'));

/** The columns that an amount form needs besides the reference. */
export const amountColumns = {
  signed: ['amount'],
  twoColumns: ['credit', 'debit'],
  marked: ['amount', 'direction', 'creditWord'],
} as const satisfies Record<AmountForm, readonly string[]>;

const csvColumns = z
  .strictObject({
    delimiter: z.enum(Object.keys(delimiters) as [Delimiter, ...Delimiter[]], phrase('validation.choice')),
    encoding: z.enum(statementEncodings, phrase('validation.choice')),
    /** The row of the file that has the headings; rows before it are skipped. */
    headingRow: z.coerce
      .number(phrase('officeReconciliation.headingRowRange'))
      .int(phrase('officeReconciliation.headingRowRange'))
      .min(1, phrase('officeReconciliation.headingRowRange'))
      .max(maxHeadingRow, phrase('officeReconciliation.headingRowRange')),
    decimalMark: z.enum(['point', 'comma'], phrase('validation.choice')),
    dateOrder: z.enum(dateOrders, phrase('validation.choice')),
    amountForm: z.enum(amountForms, phrase('validation.choice')),
    /** Headings of the columns; empty where the file has none. */
    reference: neededHeading,
    amount: heading,
    credit: heading,
    debit: heading,
    direction: heading,
    /** The word in `direction` that means money came in. */
    creditWord: heading,
    date: heading,
    bankReference: heading,
    text: heading,
  })
  .superRefine((columns, context) => {
    for (const name of amountColumns[columns.amountForm])
      if (columns[name] === '')
        context.addIssue({
          code: 'custom',
          path: [name],
          message: phrase('officeReconciliation.columnRequired'),
        });
  });
export type CsvColumns = z.output<typeof csvColumns>;

/** How the statements of a channel are read, saved for its next one. */
export const statementMapping = z.strictObject({
  /** The bank's time zone (IANA). */
  zone: z.string(phrase('validation.choice')).refine(isZone, phrase('validation.choice')),
  /** When the bank's day ends, in its zone; 00:00 is midnight at its end. */
  dayEnds: z
    .string(phrase('officeReconciliation.dayEndsFormat'))
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, phrase('officeReconciliation.dayEndsFormat')),
  /** Absent for a channel whose statements are camt.053 files. */
  csv: csvColumns.nullable(),
});
export type StatementMapping = z.output<typeof statementMapping>;
