import { createHash } from 'node:crypto';

/** A merchant's rows under a root: their number, and the SHA-256 of their own SHA-256s in the order of their IDs. */
export interface Seal {
  merchantId: bigint;
  rows: number;
  sha256: Buffer;
}

/** The content of a root: it follows an earlier one, and covers the rows above `fromId`, up to `toId`. */
export interface RootContent {
  number: bigint;
  /** Undefined for the first root. */
  previous: Pick<Root, 'number' | 'sha256'> | undefined;
  fromId: bigint;
  toId: bigint;
  /** In milliseconds, by the clock of the process that made the root: whoever owns the database can set the database's. */
  sealedAt: Date;
}

/** A root as it is stored. */
export interface Root extends Omit<RootContent, 'previous'> {
  previousNumber: bigint | null;
  sha256: Buffer;
  mac: string;
}

/** The roots in the database and outside do not fit together: nothing is sealed before a person has looked at it. */
export class SealError extends Error {}

/** Returns the SHA-256 of a root and all its seals, which must be in the order of their merchants. */
export function hashOf(
  { number, previous, fromId, toId, sealedAt }: RootContent,
  seals: readonly Seal[],
): Buffer {
  const lines = [
    'hengfu audit root 1',
    number,
    previous ? `${previous.number} ${previous.sha256.toString('hex')}` : '-',
    `${fromId} ${toId}`,
    sealedAt.getTime(),
    ...seals.map(({ merchantId, rows, sha256 }) => `${merchantId} ${rows} ${sha256.toString('hex')}`),
  ];
  return createHash('sha256').update(lines.join('\n')).digest();
}

/** A root as it is kept outside the database. */
export interface OutsideRoot {
  number: bigint;
  /** In hexadecimal digits. */
  sha256: string;
  mac: string;
  sealedAt: string;
}

/** The newest root of each UTC day has a file of its own. In the order of their names, the files are in the order of time. */
export const rootPrefix = 'root-';
export const rootKeyOf = (day: Date): string => `${rootPrefix}${day.toISOString().slice(0, 10)}.json`;
export const isRootKey = (key: string): boolean => /^root-\d{4}-\d\d-\d\d\.json$/.test(key);

export function toOutside({
  number,
  sha256,
  mac,
  sealedAt,
}: Omit<Root, 'previousNumber' | 'fromId' | 'toId'>): string {
  const content = {
    number: String(number),
    sha256: sha256.toString('hex'),
    mac,
    sealedAt: sealedAt.toISOString(),
  };
  return `${JSON.stringify(content)}\n`;
}

const digits = /^\d{1,19}$/;
const hash = /^[\da-f]{64}$/;

/** Parses a root's file. Throws if it is not one. */
export function parseOutside(text: string): OutsideRoot {
  const { number, sha256, mac, sealedAt } = JSON.parse(text);
  const areTexts = [number, sha256, mac, sealedAt].every((value) => typeof value === 'string');
  if (!(areTexts && digits.test(number) && hash.test(sha256))) throw new Error('it is not a root');
  return { number: BigInt(number), sha256, mac, sealedAt };
}

/**
 * An operator's statement that roots outside are rightly not in the database: it was restored to an earlier moment, or failed over
 * to a server that lacks them.
 */
export interface AcceptedLoss {
  /** The newest root outside at that time, and its SHA-256. */
  lost: string;
  lostSha256: string;
  /** The newest root in the database, and its SHA-256; '0' and '' if there is none. */
  kept: string;
  keptSha256: string;
  at: string;
  by: string;
  reason: string;
}

export const lossPrefix = 'accepted-';
export const lossKeyOf = ({ lost }: AcceptedLoss): string => `${lossPrefix}${lost}.json`;
export const isLossKey = (key: string): boolean => /^accepted-\d+\.json$/.test(key);

/** Parses the file of an accepted loss, with its HMAC. Throws if it is not one. */
export function parseLoss(text: string): { loss: AcceptedLoss; mac: string } {
  const { mac, ...loss }: AcceptedLoss & { mac: string } = JSON.parse(text);
  const { lost, lostSha256, kept, keptSha256, at, by, reason } = loss;
  const areTexts = [mac, lostSha256, keptSha256, at, by, reason].every((value) => typeof value === 'string');
  if (!(areTexts && digits.test(lost) && digits.test(kept))) throw new Error('it is not an accepted loss');
  return { loss, mac };
}

/** The text whose HMAC proves that an operator of this installation accepted a loss. */
export function textOf({ lost, lostSha256, kept, keptSha256, at, by, reason }: AcceptedLoss): string {
  return JSON.stringify([lost, lostSha256, kept, keptSha256, at, by, reason]);
}
