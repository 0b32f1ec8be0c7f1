import { Readable, Writable } from 'node:stream';
import type pg from 'pg';

/** The connection's methods for COPY, which its types omit. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
};

/** Rows arrive in one message each. They are passed on in pieces of about this size. */
const pieceBytes = 256 * 1024;

/** A COPY statement. While it is the client's active query, it receives the client's events. */
class Copy {
  rows = 0;
  protected readonly text: string;
  protected connection: CopyConnection | undefined;
  protected ended: (error?: Error) => void = () => {};
  #error: Error | undefined;

  constructor(text: string) {
    this.text = text;
  }

  submit(connection: pg.Connection): void {
    this.connection = connection as CopyConnection;
    connection.query(this.text);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(text.replace('COPY ', ''));
  }

  handleError(error: Error): void {
    this.#error = error;
    this.ended(error);
  }

  handleReadyForQuery(): void {
    if (!this.#error) this.ended();
  }
}

class CopyOut extends Copy {
  readonly stream: Readable;
  #piece = Buffer.allocUnsafe(pieceBytes);
  #filled = 0;

  constructor(text: string) {
    super(text);
    this.stream = new Readable({
      highWaterMark: pieceBytes,
      read: () => this.connection?.stream.resume(),
      // Drains the remaining rows, so that the connection can be reused.
      destroy: (error, done) => {
        this.connection?.stream.resume();
        done(error);
      },
    });
    this.ended = (error) => {
      if (!error) this.#flush();
      if (error) this.stream.destroy(error);
      else this.stream.push(null);
    };
  }

  /** Copies the chunk, because it is a view of the connection's buffer, which the next one overwrites. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#filled + chunk.length > this.#piece.length) this.#flush();
    if (chunk.length > this.#piece.length) this.#piece = Buffer.allocUnsafe(chunk.length);
    this.#filled += chunk.copy(this.#piece, this.#filled);
  }

  #flush(): void {
    const piece = this.#piece.subarray(0, this.#filled);
    this.#piece = Buffer.allocUnsafe(pieceBytes);
    this.#filled = 0;
    if (this.stream.destroyed || piece.length === 0) return;
    if (!this.stream.push(piece)) this.connection?.stream.pause();
  }
}

class CopyIn extends Copy {
  readonly stream: Writable;
  #ready: () => void = () => {};
  readonly #isReady: Promise<void>;

  constructor(text: string) {
    super(text);
    this.#isReady = new Promise((resolve) => {
      this.#ready = resolve;
    });
    this.stream = new Writable({
      highWaterMark: pieceBytes,
      write: (piece: Buffer, _encoding, done) => void this.#isReady.then(() => this.#send(piece, done)),
      final: (done) => {
        this.ended = (error) => done(error);
        void this.#isReady.then(() => this.connection?.endCopyFrom());
      },
      destroy: (error, done) => {
        if (error) this.connection?.sendCopyFail('reading the rows to copy failed');
        done(error);
      },
    });
    this.ended = (error) => void this.stream.destroy(error ?? new Error('the copy ended early'));
  }

  handleCopyInResponse(): void {
    this.#ready();
  }

  #send(piece: Buffer, done: () => void): void {
    const { connection } = this;
    if (!this.stream.destroyed) connection?.sendCopyFromChunk(piece);
    if (connection?.stream.writableNeedDrain) connection.stream.once('drain', done);
    else done();
  }
}

/** Streams the rows of a `COPY … TO STDOUT` in flat memory. `rows` returns their number after the end. */
export function copyOut(client: pg.Client, text: string): { stream: Readable; rows: () => number } {
  const copy = new CopyOut(text);
  client.query(copy);
  return { stream: copy.stream, rows: () => copy.rows };
}

/** Returns a stream for the rows of a `COPY … FROM STDIN`. Finishes once the database has stored them. */
export function copyIn(client: pg.Client, text: string): { stream: Writable; rows: () => number } {
  const copy = new CopyIn(text);
  client.query(copy);
  return { stream: copy.stream, rows: () => copy.rows };
}
