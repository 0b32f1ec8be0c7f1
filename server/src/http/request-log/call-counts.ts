import type { CallBlock } from './blocks/blocks.sql.ts';
import { hourOf, type KeyHour, type LoggedCall } from './request-log.sql.ts';

/** An entry whose merchant may still have to be looked up. */
export interface MaybeOwned {
  merchantId: bigint | undefined;
}

/** Counts of a key in an hour, whose merchant may still have to be looked up. */
export type BufferedCounts = Omit<KeyHour, 'merchantId'> & MaybeOwned;

/** Counts of a key in an hour without a call. */
export const noCounts = { refused: 0, unverified: 0, lost: 0 };

/** Whether the merchant of an entry still has to be looked up. */
export const isUnowned = ({ merchantId }: MaybeOwned) => merchantId === undefined;

/** Returns the text under which an hour of a key is counted. */
export const keyHourOf = (keyId: string, hour: Date) => `${keyId} ${hour.getTime()}`;

/** Returns the count of a call that is lost. */
export const lostCall = <M>({
  merchantId,
  keyId,
  at,
}: Pick<LoggedCall, 'keyId' | 'at'> & { merchantId: M }) => ({
  merchantId,
  keyId,
  hour: hourOf(at),
  ...noCounts,
  lost: 1,
});

/** Returns the count of a block whose calls are lost. */
export const lostBlock = ({ merchantId, keyId, lastAt, calls }: CallBlock): KeyHour => ({
  merchantId,
  keyId,
  hour: hourOf(lastAt),
  ...noCounts,
  lost: calls,
});

/** Adds the refused calls of a batch to its counts. */
export function counted(calls: readonly LoggedCall[], counts: readonly KeyHour[]): KeyHour[] {
  const all = new Map<string, KeyHour>();
  const refused = calls
    .filter(({ isRefused }) => isRefused)
    .map(({ merchantId, keyId, at, isVerified }) => ({
      merchantId,
      keyId,
      hour: hourOf(at),
      lost: 0,
      refused: isVerified ? 1 : 0,
      unverified: isVerified ? 0 : 1,
    }));
  for (const one of [...counts, ...refused]) {
    const key = keyHourOf(one.keyId, one.hour);
    all.set(key, sumOf(all.get(key), one));
  }
  return [...all.values()];
}

/** Adds up counts of one key and hour. */
export function sumOf<T extends BufferedCounts>(sum: T | undefined, more: T): T {
  if (!sum) return more;
  return {
    ...more,
    merchantId: more.merchantId ?? sum.merchantId,
    refused: sum.refused + more.refused,
    unverified: sum.unverified + more.unverified,
    lost: sum.lost + more.lost,
  };
}
