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
  /** In milliseconds. */
  sealedAt: Date;
}

/** A root as it is stored. */
export interface Root extends Omit<RootContent, 'previous'> {
  previousNumber: bigint | null;
  sha256: Buffer;
  mac: string;
}

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
    sealedAt.toISOString(),
    ...seals.map(({ merchantId, rows, sha256 }) => `${merchantId} ${rows} ${sha256.toString('hex')}`),
  ];
  return createHash('sha256').update(lines.join('\n')).digest();
}

/** A root as it is kept outside the database. */
export interface OutsideRoot {
  number: bigint;
  sha256: string;
  mac: string;
  sealedAt: string;
}

/** The newest root of each UTC day has a file of its own. */
export const rootPrefix = 'root-';
export const rootKeyOf = (sealedAt: Date): string =>
  `${rootPrefix}${sealedAt.toISOString().slice(0, 10)}.json`;

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

/** Parses a file outside; throws if it is none of ours. */
export function parseOutside(text: string): OutsideRoot {
  const { number, sha256, mac, sealedAt } = JSON.parse(text);
  if (![number, sha256, mac, sealedAt].every((value) => typeof value === 'string'))
    throw new Error('not a root of the audit trail');
  return { number: BigInt(number), sha256, mac, sealedAt };
}

/**
 * An operator's word that roots which are known outside are rightly not in the database: it was restored to an earlier moment.
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

/** Whether a root was the last one in the database when a loss was accepted; undefined stands for none. */
export function isKeptBy(
  { kept, keptSha256 }: AcceptedLoss,
  last: Pick<Root, 'number' | 'sha256'> | undefined,
): boolean {
  return BigInt(kept) === (last?.number ?? 0n) && keptSha256 === (last?.sha256.toString('hex') ?? '');
}

/** The text whose HMAC proves that an operator of this installation accepted a loss. */
export function textOf({ lost, lostSha256, kept, keptSha256, at, by, reason }: AcceptedLoss): string {
  return JSON.stringify([lost, lostSha256, kept, keptSha256, at, by, reason]);
}
