import { exportColumns } from '@hengfu/contract/export-columns';
import { permOfList } from '@hengfu/contract/exports';
import * as z from 'zod';
import type { MerchantTx } from '#db/database.ts';
import { holds, type Person } from '#domain/caller.ts';
import { translate } from '#domain/language.ts';
import { newTradeNo } from '#domain/orders.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { enqueue } from '#jobs/jobs.ts';
import { type ExportTask, insertExport, type NewExport } from './exports.sql.ts';

/** The job that writes an export, and what it is told. */
export const runTask = 'exports.run';
export const runPayload = z.object({ merchantId: z.string().transform(BigInt), exportNo: z.string() });

/** Plans the writing of an export, in the transaction that puts it in line. */
export async function planToRun(tx: MerchantTx, exportNo: string, delaySeconds = 0): Promise<void> {
  const given = { merchantId: String(tx.merchantId), exportNo };
  await enqueue(tx, runTask, given, { key: `export:${exportNo}`, delaySeconds });
}

/** Puts an export in line; its file is called after its list, the days it covers, if any, and its number. */
export async function makeExport(
  tx: MerchantTx,
  asked: Omit<NewExport, 'file_name'>,
  days = '',
): Promise<ExportTask> {
  const exportNo = await newTradeNo(tx, 'E');
  const words = [translate(asked.language, `exports.lists.${asked.list}`), days, exportNo];
  const name = words.filter((word) => word !== '').join(' ');
  const made = await insertExport(tx, exportNo, { ...asked, file_name: `${name}.${asked.format}` });
  await planToRun(tx, exportNo);
  return made;
}

/** The columns asked for, or all that the list has where none was chosen. */
export function chosenColumns(list: ExportTask['list'], chosen: readonly string[]): string[] {
  return chosen.length > 0 ? [...chosen] : exportColumns[list].map(({ key }) => key);
}

/** Throws `forbidden` for a list that the person may not read. */
export function assertMayRead(person: Person, list: ExportTask['list']): void {
  if (!holds(person, permOfList[list])) throw new Refusal('forbidden');
}
