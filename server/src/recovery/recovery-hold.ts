import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';

const moment = z.iso.datetime().transform((text) => new Date(text));
const recoveryHold = z.object({
  /** The commit time of the last restored transaction: the channels may know more since then. */
  recoveredTo: moment,
  restoredAt: moment,
  base: z.string(),
  /** The channels that were open for payouts, and are closed until the release. */
  closedChannels: z.array(z.string()).optional(),
  /** Of another version's form it counts as none: it is quickly repeated. */
  comparison: z
    .object({
      at: moment,
      /** The channels were asked for their orders since this moment. */
      from: moment,
      /** Orders that the database does not know, knows with another end or amount, or would never get the outcome of. */
      unknown: z.number().int(),
      /** Channels that give no list of their orders. */
      byHand: z.number().int(),
    })
    .optional()
    .catch(undefined),
});

/** A restored database whose payouts are held until a person has compared it with the channels. */
export type RecoveryHold = z.output<typeof recoveryHold>;

const fileIn = (dataDir: string) => join(dataDir, 'recovery-hold.json');

/** Whether payouts are held, even if the file cannot be read. */
export function isHeld(dataDir: string): boolean {
  try {
    return statSync(fileIn(dataDir), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // The disk does not say: nothing is paid out before it does.
    return true;
  }
}

/**
 * Reads the hold in the directory of the embedded database; undefined if payouts are not held. Throws if it cannot be read or is
 * damaged.
 */
export function readHold(dataDir: string): RecoveryHold | undefined {
  const text = textOf(fileIn(dataDir));
  if (text === undefined) return undefined;
  try {
    return recoveryHold.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(
      `${fileIn(dataDir)} is damaged. It records the moment from which to compare before payouts continue: restore it from a copy, or the database again.`,
      { cause: error },
    );
  }
}

/** Reads a file; undefined if there is none. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the hold. A power cut leaves either the old one or the new one. */
export function writeHold(dataDir: string, hold: RecoveryHold): void {
  const unfinished = `${fileIn(dataDir)}.new`;
  writeFileSync(unfinished, `${JSON.stringify(hold, undefined, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, fileIn(dataDir));
}

/** Changes a part of the hold as it is now: another process may have written it since. Returns false if there is none. */
export function amendHold(
  dataDir: string,
  change: Partial<Pick<RecoveryHold, 'closedChannels' | 'comparison'>>,
): boolean {
  const hold = readHold(dataDir);
  if (hold) writeHold(dataDir, { ...hold, ...change });
  return hold !== undefined;
}

/** Ends the hold, and keeps its file under another name. Workers start within a second. */
export function endHold(dataDir: string): void {
  const ended = `recovery-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}.json`;
  renameSync(fileIn(dataDir), join(dataDir, ended));
}

const pollMs = 500;

/** Resolves once payouts are no longer held, or the signal is given: another process releases them. */
export async function untilReleased(dataDir: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && isHeld(dataDir)) await pause(pollMs, undefined, { signal }).catch(() => {});
}
