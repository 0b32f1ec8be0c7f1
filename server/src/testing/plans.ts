import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** A node of PostgreSQL's plan, as `explain (analyze, buffers, format json)` reports it. */
export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  /** How the index is entered. */
  'Index Cond'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  /** Pairs of rows that a join compared in vain, averaged over its loops, as rows are. */
  'Rows Removed by Join Filter'?: number;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** Runs a statement under `explain analyze`; returns the nodes of its plan, the root first. */
export async function explainAnalyze(tx: Tx, statement: RawBuilder<unknown>): Promise<Plan[]> {
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: Plan }[] }>`
    explain (analyze, buffers, timing off, format json) ${statement}`.execute(tx.query);
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('explain returned no plan');
  return nodesOf(plan);
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
