import { storableText } from '#security/storable-text.ts';

/** Runs a statement as the owner, to whom the queue belongs. */
type Query = (text: string, values: unknown[]) => Promise<unknown>;

const keptErrorLength = 500;
const note = `
  insert into failing_task as f (task, last_error) values ($1, $2)
  on conflict (task) do update set failed_at = now(), failures = f.failures + 1, last_error = excluded.last_error`;
const forget = 'delete from failing_task where task = $1';
/** Deletes the failures of tasks that no version runs any more: every recurring task runs at least daily. */
export const deleteOldFailures = `delete from failing_task where failed_at < now() - interval '3 days'`;

/** Records that a run of a recurring task failed. */
export async function noteFailedRun(query: Query, task: string, error: unknown): Promise<void> {
  const text = error instanceof Error ? error.message || error.name : String(error);
  await query(note, [task, storableText(text, keptErrorLength)]);
}

/** Records that a recurring task succeeded. */
export async function forgetFailedRuns(query: Query, task: string): Promise<void> {
  await query(forget, [task]);
}
