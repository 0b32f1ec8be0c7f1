import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Maximum calls of a block. */
export const maxBlockCalls = 200;
/** Maximum time between the first and the last call of a block. */
export const maxBlockSpanMs = 3000;
/**
 * Maximum time between a call in a block and the second in its order's number, which the database's clock tells. Calls that repeat an earlier one, and
 * all calls of a server whose clock is wrong, are kept as rows.
 */
export const maxOrderDistanceMs = 5000;
/** A block of the largest bodies is far smaller. */
const maxContentBytes = 32 * 1024 * 1024;

/** A call in a block, without what all calls of the block have in common. */
export interface BlockedCall {
  request_id: string;
  /** Milliseconds since 1970. */
  at: number;
  duration_ms: number;
  request: BlockedBody;
  /** Names the order that was created. */
  response: BlockedBody;
}

/** A body: its size, and its masked value; that of a large one as JSON, whose end may be missing. */
export interface BlockedBody {
  bytes: number;
  isCut: boolean;
  value: object | string;
}

/** The first level takes less time than it would take to write the calls as they are. */
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Compresses the calls of a block, given as a JSON array of {@link BlockedCall}, into memory of its own: what zlib returns is a small part of a buffer. */
export const packCalls = (calls: string): Buffer<ArrayBuffer> =>
  Buffer.from(new Uint8Array(zstdCompressSync(calls, compression)).buffer);

/** Returns the calls of a block. */
export function unpackCalls(content: Buffer): BlockedCall[] {
  return JSON.parse(zstdDecompressSync(content, { maxOutputLength: maxContentBytes }).toString());
}

/** An order's number: a letter, its UTC second, and nine digits (functions/new_trade_no.sql). */
const orderNumber = /^[A-Z](\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})\d{9}$/;

/** Returns the second in the number of an order, by the database's clock; undefined for any other text. */
export function secondOfOrder(tradeNo: string): Date | undefined {
  const match = orderNumber.exec(tradeNo);
  if (!match) return undefined;
  const [year = 0, month = 0, day, hour, minute, second] = match.slice(1).map(Number);
  const at = new Date(Date.UTC(2000 + year, month - 1, day, hour, minute, second));
  return at.getUTCMonth() === month - 1 ? at : undefined;
}

/** Returns the numbers of the order that a call created. */
export const ordersOf = ({
  response,
}: BlockedCall): { trade_no: string | null; out_trade_no: string | null } => ({
  trade_no: fieldOf(response, tradeNo),
  out_trade_no: fieldOf(response, outTradeNo),
});

/** A field by its name, and in JSON whose end may be missing. */
interface NamedField {
  name: string;
  inText: RegExp;
}

const namedField = (name: string): NamedField => ({ name, inText: new RegExp(`"${name}":"([^"\\\\]*)"`) });
const tradeNo = namedField('trade_no');
const outTradeNo = namedField('out_trade_no');

function fieldOf({ value }: BlockedBody, { name, inText }: NamedField): string | null {
  if (typeof value === 'string') return inText.exec(value)?.[1] ?? null;
  const found: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  return typeof found === 'string' ? found : null;
}
