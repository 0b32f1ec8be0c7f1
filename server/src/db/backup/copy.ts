import { Readable, Writable } from 'node:stream';
import type pg from 'pg';

/** What the connection can do besides: the types leave COPY out. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
};

/** The server sends a message for each row: they are passed on in pieces of about this size. */
const pieceBytes = 256 * 1024;

/** What a statement of COPY hears of while it is the client's active one. */
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
      // What is not wanted any more is read to its end, so that the connection can be used again.
      destroy: (error, done) => {
        this.connection?.stream.resume();
        done(error);
      },
    });
    this.ended = (error) => {
      if (!error) this.#pass();
      if (error) this.stream.destroy(error);
      else this.stream.push(null);
    };
  }

  /** A chunk is a part of the connection's own memory, which the next ones overwrite. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#filled + chunk.length > this.#piece.length) this.#pass();
    if (chunk.length > this.#piece.length) this.#piece = Buffer.allocUnsafe(chunk.length);
    this.#filled += chunk.copy(this.#piece, this.#filled);
  }

  #pass(): void {
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
        if (error) this.connection?.sendCopyFail('what was to be copied could not be read');
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

/** The rows of a `COPY … TO STDOUT`, never many in memory; `rows` tells their number once all were read. */
export function copyOut(client: pg.Client, text: string): { stream: Readable; rows: () => number } {
  const copy = new CopyOut(text);
  client.query(copy);
  return { stream: copy.stream, rows: () => copy.rows };
}

/** Takes the rows of a `COPY … FROM STDIN`; finished once the database has them. */
export function copyIn(client: pg.Client, text: string): { stream: Writable; rows: () => number } {
  const copy = new CopyIn(text);
  client.query(copy);
  return { stream: copy.stream, rows: () => copy.rows };
}
