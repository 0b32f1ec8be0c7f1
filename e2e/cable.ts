import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { productUrl } from './people.ts';

/** A TCP proxy in front of the product whose connections can be cut, stalled and restored. */
export class Cable {
  readonly url: string;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.#port}`;
    this.#forward();
  }

  /** Starts a proxy on a free port. */
  static async start(): Promise<Cable> {
    return new Cable(await listen(0));
  }

  /** Closes all connections and refuses new ones. */
  async cut(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Silently drops all data on open connections. */
  stall(): void {
    for (const socket of this.#sockets) socket.unpipe().on('data', () => undefined);
  }

  /** Accepts connections again, on the same port. */
  async restore(): Promise<void> {
    this.#server = await listen(this.#port);
    this.#forward();
  }

  #forward(): void {
    this.#server.on('connection', (near) => {
      const far = connect(Number(new URL(productUrl()).port), '127.0.0.1');
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => this.#sockets.delete(socket));
        socket.pipe(other);
      }
    });
  }
}

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
