import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Where a connection is cut. */
export interface Cut {
  /** The exchange begins with the first request that contains this text. */
  marker: string;
  /** The side whose messages are counted. */
  side: 'request' | 'reply';
  /** How many messages of the exchange still pass. */
  after: number;
  /** Whether the last message of a reply never passes: a connection that knows the statement already replies with fewer messages. */
  isBeforeEnd?: boolean;
  /** Whether the first byte of the next message passes as well. */
  isWithin?: boolean;
  /** Whether both sides see a reset instead of an orderly end. */
  isReset?: boolean;
}

/**
 * A TCP proxy in front of PostgreSQL that reads its protocol, and cuts a connection at an exact message. Nothing of a reply passes
 * before it is complete: the transaction has ended by then, so a cut reply means that its caller cannot know the outcome.
 */
export class CuttingNetwork {
  readonly port: number;
  /** Types of the messages that passed, one letter each, since the marker was seen. */
  passed = '';
  /** How many connections were cut. */
  cuts = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut: Cut | undefined;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (near) => this.#carry(near, target));
  }

  /** Opens a network in front of a local port. */
  static async open(target: number): Promise<CuttingNetwork> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CuttingNetwork(server, target);
  }

  /** Rewrites a URL so that it leads through the network. */
  urlOf(url: string): string {
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String(this.port);
    return through.href;
  }

  /** Cuts one connection. Without a number of messages to count to, it only records those of the exchange. */
  cutOnce(cut: Cut): void {
    this.#cut = cut;
    this.passed = '';
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #carry(near: Socket, target: number): void {
    const far = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    const requests = new Messages(true);
    const replies = new Messages(false);
    let cut: Cut | undefined;
    /** Passes messages on, up to the cut. */
    const pass = (messages: readonly Buffer[], to: Socket) => {
      for (const message of messages) {
        const isEnd = cut?.isBeforeEnd && message[0] === readyForQuery;
        if (cut && (this.passed.length >= cut.after || isEnd)) {
          if (cut.isWithin) to.write(message.subarray(0, 1));
          this.cuts++;
          for (const socket of [near, far])
            if (cut.isReset) socket.resetAndDestroy();
            else socket.destroySoon();
          return;
        }
        if (cut) this.passed += String.fromCharCode(message[0] ?? 0);
        to.write(message);
      }
    };
    near.on('data', (chunk: Buffer) => {
      const messages = requests.add(chunk);
      if (this.#cut && messages.some((message) => message.includes(this.#cut?.marker ?? ''))) {
        cut = this.#cut;
        this.#cut = undefined;
      }
      if (cut?.side === 'request') pass(messages, far);
      else for (const message of messages) far.write(message);
    });
    let held: Buffer[] = [];
    far.on('data', (chunk: Buffer) => {
      held.push(...replies.add(chunk));
      if (cut?.side !== 'reply') for (const message of held) near.write(message);
      else if (held.at(-1)?.[0] === readyForQuery) pass(held, near);
      else return;
      held = [];
    });
  }
}

const readyForQuery = 'Z'.charCodeAt(0);

/** Divides one direction of a connection into the messages of PostgreSQL's protocol. */
class Messages {
  #rest: Buffer = Buffer.alloc(0);
  /** The first message of a client has no type. */
  #hasNoType: boolean;

  constructor(isClient: boolean) {
    this.#hasNoType = isClient;
  }

  /** Returns the messages that a chunk completes. */
  add(chunk: Buffer): Buffer[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const messages: Buffer[] = [];
    for (;;) {
      const typeBytes = this.#hasNoType ? 0 : 1;
      if (this.#rest.length < typeBytes + 4) return messages;
      const end = typeBytes + this.#rest.readUInt32BE(typeBytes);
      if (this.#rest.length < end) return messages;
      messages.push(this.#rest.subarray(0, end));
      this.#rest = this.#rest.subarray(end);
      this.#hasNoType = false;
    }
  }
}
