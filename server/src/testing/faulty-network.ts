import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The condition of a network. */
export type NetworkCondition =
  | { kind: 'clear' }
  /** Everything arrives in order, each chunk delayed by a random time between the two. */
  | { kind: 'slow'; fromMs: number; toMs: number }
  /** Data arrives a few bytes at a time. */
  | { kind: 'drip'; bytes: number; everyMs: number }
  /** A black hole: connections succeed, but no data arrives until the condition changes. */
  | { kind: 'hole' }
  /** A black hole that loses state: connections open during it stay silent afterwards, too. */
  | { kind: 'forgetfulHole' }
  /** Each connection is reset after so many bytes. */
  | { kind: 'reset'; afterBytes: number }
  /** The answering side closes its half of the connection in the middle of an answer. */
  | { kind: 'halfClose' };

const clear: NetworkCondition = { kind: 'clear' };

/** A TCP proxy that injects faults. Its condition can be changed at any time. */
export class FaultyNetwork {
  readonly port: number;
  readonly #target: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #connections = new Set<Connection>();
  #condition: NetworkCondition = clear;
  #changed = Promise.withResolvers<void>();

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (near) => this.#carry(near));
  }

  /** Opens a network in front of a local port. */
  static async open(target: number): Promise<FaultyNetwork> {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultyNetwork(server, target);
  }

  /** Rewrites a URL so that it leads through the network. */
  urlOf(url: string): string {
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String(this.port);
    return through.href.replace(/\/$/, '');
  }

  set condition(condition: NetworkCondition) {
    this.#condition = condition;
    if (condition.kind === 'forgetfulHole')
      for (const connection of this.#connections) connection.isForgotten = true;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  get condition(): NetworkCondition {
    return this.#condition;
  }

  /** Closes the forgotten connections on both sides, as TCP does after a quarter of an hour. */
  closeForgotten(): void {
    for (const { near, far, isForgotten } of this.#connections) {
      if (!isForgotten) continue;
      near.destroy();
      far.destroy();
    }
  }

  async close(): Promise<void> {
    this.condition = clear;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #carry(near: Socket): void {
    const far = connect({ port: this.#target, host: '127.0.0.1', allowHalfOpen: true });
    const connection: Connection = { near, far, carriedBytes: 0, isForgotten: false };
    this.#connections.add(connection);
    far.on('close', () => this.#connections.delete(connection));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      let last = Promise.resolve();
      const inOrder = (work: () => Promise<void> | void) => {
        last = last
          .then(() => this.#isPassing(connection))
          .then((isPassing) => (isPassing ? work() : undefined));
      };
      from.setNoDelay(true);
      from.on('data', (chunk: Buffer) => inOrder(() => this.#pass(connection, chunk, to)));
      from.on('end', () => inOrder(() => void to.end()));
      from.on('error', () => {});
      from.on('close', () => {
        this.#sockets.delete(from);
        inOrder(() => void to.destroy());
      });
    }
  }

  /** Waits until the network passes data; returns false if it has forgotten the connection. */
  async #isPassing(connection: Connection): Promise<boolean> {
    while (this.#condition.kind === 'hole' || this.#condition.kind === 'forgetfulHole') {
      if (this.#condition.kind === 'forgetfulHole') connection.isForgotten = true;
      await this.#changed.promise;
    }
    return !connection.isForgotten;
  }

  async #pass(connection: Connection, chunk: Buffer, to: Socket): Promise<void> {
    const { condition } = this;
    if (to.destroyed || to.writableEnded) return;
    connection.carriedBytes += chunk.length;
    if (condition.kind === 'slow')
      await pause(condition.fromMs + Math.random() * (condition.toMs - condition.fromMs));
    if (condition.kind === 'reset' && connection.carriedBytes > condition.afterBytes) {
      for (const socket of [connection.near, connection.far]) if (!socket.destroyed) socket.resetAndDestroy();
      return;
    }
    if (condition.kind === 'halfClose' && to === connection.near) {
      to.end(chunk.subarray(0, chunk.length / 2));
      return;
    }
    if (condition.kind === 'drip') await drip(to, chunk, condition);
    else to.write(chunk);
  }
}

/** One connection through the network. */
interface Connection {
  near: Socket;
  far: Socket;
  carriedBytes: number;
  isForgotten: boolean;
}

async function drip(
  to: Socket,
  chunk: Buffer,
  { bytes, everyMs }: NetworkCondition & { kind: 'drip' },
): Promise<void> {
  for (let from = 0; from < chunk.length; from += bytes) {
    if (to.destroyed || to.writableEnded) return;
    to.write(chunk.subarray(from, from + bytes));
    await pause(everyMs);
  }
}
