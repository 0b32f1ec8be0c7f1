import { type DifferenceKind, differencesPerPage } from '@hengfu/contract/staff/statement-days';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { ParsedLine } from './parse/line-fields.rules.ts';
import { ofService } from './statements.sql.ts';

/** Adds lines to a statement, and its sums. Returns false, and adds nothing, if the statement is no longer being loaded. */
export async function addLines(tx: Tx, statementId: bigint, lines: readonly ParsedLine[]): Promise<boolean> {
  const column = <K extends keyof ParsedLine>(name: K) => lines.map((line) => line[name]);
  const amounts = column('amountMinor');
  const sumOf = (sign: 1n | -1n) =>
    amounts.reduce((sum, amount) => (amount * sign > 0n ? sum + amount * sign : sum), 0n);
  const { rows } = await sql<object>`
    with progress as (
      update reconciliation_statement
      set line_count = line_count + ${lines.length}, credit_minor = credit_minor + ${sumOf(1n)},
        debit_minor = debit_minor + ${sumOf(-1n)}, loaded_at = now()
      where id = ${statementId} and state = 'loading'
      returning id
    ), added as (
      insert into reconciliation_line (statement_id, line_no, reference, amount_minor, value_day, bank_reference, text)
      select progress.id, line.*
      from progress cross join unnest(${column('lineNo')}::integer[], ${column('reference')}::text[],
        ${amounts.map(String)}::bigint[], ${column('valueDay')}::date[], ${column('bankReference')}::text[],
        ${column('text')}::text[]) as line
    )
    select from progress`.execute(tx.prepared);
  tx.changed(ofService, 'reconciliation');
  return rows.length > 0;
}

/** A line of a statement, with the kind of the difference that it belongs to. */
export interface ListedLine {
  lineNo: number;
  reference: string;
  amountMinor: bigint;
  valueDay: string | null;
  bankReference: string;
  text: string;
  kind: DifferenceKind | null;
}

/** Lists lines of a statement in their order: those after a line, all of them or those with a reference. */
export async function listLines(
  tx: Tx,
  statementId: bigint,
  { reference, after }: { reference: string | undefined; after: number },
): Promise<ListedLine[]> {
  const { rows } = await sql<ListedLine>`
    select l.line_no as "lineNo", l.reference, l.amount_minor as "amountMinor", l.value_day::text as "valueDay",
      l.bank_reference as "bankReference", l.text, d.kind
    from reconciliation_line l
    left join reconciliation_difference d
      on d.statement_id = l.statement_id and d.reference = l.reference and d.line_no = l.line_no
    where l.statement_id = ${statementId} and l.line_no > ${after}
      ${reference === undefined ? sql`` : sql`and l.reference = ${reference}`}
    order by l.line_no limit ${differencesPerPage}`.execute(tx.query);
  return rows;
}
