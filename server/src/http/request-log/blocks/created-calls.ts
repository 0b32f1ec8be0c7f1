import { maxBlockCalls, maxBlockSpanMs } from '#domain/call-blocks.ts';
import type { BufferPool } from './buffer-pool.ts';

/** The memory of a block whose calls were given up. */
const noBytes = Buffer.from(new SharedArrayBuffer(0));
/** Maximum bytes of the calls of a block, so that none takes long to mask or to read. */
const maxBytes = 256 * 1024;
/** Masking makes no body of so many bytes longer than what is kept of one. */
const shortBodyBytes = 1024;

/** A call that created an order, as it came and as it was answered. */
export interface CreatedCall extends CallGroup {
  requestId: string;
  at: Date;
  elapsedMs: number;
  /** The second in the number of its order. */
  orderAt: Date;
  /** A JSON object that begins with its brace, and so is the reply. */
  rawBody: Buffer;
  sentBody: string;
}

/** The facts that all calls of a block have in common. */
export interface CallGroup {
  merchantId: bigint;
  keyId: string;
  /** The key's secret, which the log must not contain. */
  secret: string;
  path: string;
  address: string;
}

/** Calls that are yet to be masked: plain data, which a thread can take. */
export interface RawCalls {
  group: CallGroup;
  count: number;
  /** A JSON array of blocked calls (`BlockedCall`) whose bodies are as they came. */
  bytes: Uint8Array;
  /** Whether the masked bodies cannot be longer than what is kept of one. */
  isShort: boolean;
  /** The times of the calls, and the seconds in the numbers of their orders, in milliseconds since 1970. */
  at: Times;
  orderAt: Times;
}

/** A range of times. */
export interface Times {
  first: number;
  last: number;
}

const noTimes: Times = { first: Infinity, last: -Infinity };

/** Returns a range that includes a time, too. */
const including = ({ first, last }: Times, time: number): Times => ({
  first: Math.min(first, time),
  last: Math.max(last, time),
});

/**
 * Calls of one group that wait to be written as a block. They are copied into memory outside the heap: objects that wait outlive collections of
 * garbage, which costs more than everything else about the log.
 */
export class CreatedCalls {
  /** When the block is to be written at the latest, by `performance.now()`. */
  readonly dueMs: number;
  readonly group: CallGroup;
  readonly #pool: BufferPool;
  #bytes: Buffer<SharedArrayBuffer>;
  #used = 0;
  #count = 0;
  #isShort = true;
  #at = noTimes;
  #orderAt = noTimes;

  constructor({ merchantId, keyId, secret, path, address }: CallGroup, dueMs: number, pool: BufferPool) {
    this.dueMs = dueMs;
    this.#pool = pool;
    this.#bytes = pool.acquire(0);
    this.group = { merchantId, keyId, secret, path, address };
  }

  get count(): number {
    return this.#count;
  }

  /** The time of its latest call. */
  get lastAt(): Date {
    return new Date(this.#at.last);
  }

  /** Whether it has as many calls as a block may have. */
  get isFull(): boolean {
    return this.#count >= maxBlockCalls || this.#used >= maxBytes;
  }

  /** Whether a call is too late for the block, or of another secret of the key: it begins the next block. */
  isBefore({ at, secret }: CreatedCall): boolean {
    return at.getTime() > this.#at.first + maxBlockSpanMs || secret !== this.group.secret;
  }

  /** Whether a call is too early for the block. */
  isBehind({ at }: CreatedCall): boolean {
    return at.getTime() < this.#at.last - maxBlockSpanMs;
  }

  /** Adds a call that is neither too late nor too early. */
  add(call: CreatedCall): void {
    const atMs = call.at.getTime();
    this.#at = including(this.#at, atMs);
    this.#orderAt = including(this.#orderAt, call.orderAt.getTime());
    this.#write(call, atMs);
  }

  /** Returns its calls, in memory that is theirs until {@link release}. None is added from here on. */
  raw(): RawCalls {
    this.#used += this.#bytes.write(']', this.#used);
    return {
      group: this.group,
      count: this.#count,
      bytes: this.#bytes.subarray(0, this.#used),
      isShort: this.#isShort,
      at: this.#at,
      orderAt: this.#orderAt,
    };
  }

  /** Gives up its calls and their memory, once nobody reads them any more. */
  release(): void {
    this.#pool.release(this.#bytes);
    this.#bytes = noBytes;
  }

  /** Writes a call as a `BlockedCall`. */
  #write({ requestId, elapsedMs, rawBody, sentBody }: CreatedCall, atMs: number): void {
    const facts = `{"request_id":"${requestId}","at":${atMs},"duration_ms":${Math.round(elapsedMs)}`;
    const before = `${this.#count === 0 ? '[' : ','}${facts},"request":{"bytes":${rawBody.length},"isCut":false,"value":`;
    // A character of a JavaScript string takes three bytes at most.
    this.#makeRoom(before.length + rawBody.length + sentBody.length * 3 + factsRoom);
    let used = this.#used + this.#bytes.write(before, this.#used, 'latin1');
    used += rawBody.copy(this.#bytes, used);
    used += this.#bytes.write('},"response":{"value":', used, 'latin1');
    const replyBytes = this.#bytes.write(sentBody, used);
    used += replyBytes;
    used += this.#bytes.write(`,"bytes":${replyBytes},"isCut":false}}`, used, 'latin1');
    this.#used = used;
    this.#count++;
    if (rawBody.length > shortBodyBytes || replyBytes > shortBodyBytes) this.#isShort = false;
  }

  #makeRoom(bytes: number): void {
    const needed = this.#used + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = this.#pool.acquire(needed);
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#pool.release(this.#bytes);
    this.#bytes = larger;
  }
}

/** More than the constant parts of a call and the bracket at the end take. */
const factsRoom = 128;
