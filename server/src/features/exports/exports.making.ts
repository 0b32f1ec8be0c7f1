import { exportColumns } from '@hengfu/contract/export-columns';
import { permOfList } from '@hengfu/contract/exports';
import * as z from 'zod';
import type { MerchantTx } from '#db/database.ts';
import { holds, type Person } from '#domain/caller.ts';
import { translate } from '#domain/language.ts';
import { newTradeNo } from '#domain/orders.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { enqueue } from '#jobs/jobs.ts';
import { type ExportTask, insertExport, type NewExport, readMode } from './exports.sql.ts';

/** The task that writes an export, and its payload. */
export const runTask = 'exports.run';
export const runPayload = z.object({ merchantId: z.string().transform(BigInt), exportNo: z.string() });

/** Enqueues the task that writes an export, in the caller's transaction. */
export async function enqueueRun(tx: MerchantTx, exportNo: string, delaySeconds = 0): Promise<void> {
  const payload = { merchantId: String(tx.merchantId), exportNo };
  await enqueue(tx, runTask, payload, { key: `export:${exportNo}`, delaySeconds });
}

/** Queues an export. Its file name consists of the list, the days covered, if any, and the export number; in test mode it begins with a mark. */
export async function queueExport(
  tx: MerchantTx,
  request: Omit<NewExport, 'file_name'>,
  days = '',
): Promise<ExportTask> {
  const exportNo = await newTradeNo(tx, 'E');
  const parts = [translate(request.language, `exports.lists.${request.list}`), days, exportNo];
  const name = parts.filter((part) => part !== '').join(' ');
  const mark = (await readMode(tx)) === 'test' ? 'TEST-' : '';
  const task = await insertExport(tx, exportNo, {
    ...request,
    file_name: `${mark}${name}.${request.format}`,
  });
  await enqueueRun(tx, exportNo);
  return task;
}

/** Returns the chosen columns, or all columns of the list if none were chosen. */
export function chosenColumns(list: ExportTask['list'], chosen: readonly string[]): string[] {
  return chosen.length > 0 ? [...chosen] : exportColumns[list].map(({ key }) => key);
}

/** Throws `forbidden` for a list that the person may not read. */
export function assertMayRead(person: Pick<Person, 'perms'>, list: ExportTask['list']): void {
  if (!holds(person, permOfList[list])) throw new Refusal('forbidden');
}
