import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** A server that accepts every connection and never answers. */
export interface SilentServer {
  url: string;
  /** Connections open now, the most that were open at once, and the total so far. */
  connections: () => { open: number; most: number; total: number };
  close(): Promise<void>;
}

/** Starts one on loopback. */
export async function startSilentServer(): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  let [most, total] = [0, 0];
  const server = createServer((socket) => {
    sockets.add(socket);
    total++;
    most = Math.max(most, sockets.size);
    socket.resume();
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/silent`,
    connections: () => ({ open: sockets.size, most, total }),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
