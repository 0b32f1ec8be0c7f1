import { type AddressInfo, connect as connectTo, createServer } from 'node:net';

/** A TCP proxy in front of the database that counts round trips. */
export interface CountingProxy {
  /** URL of the database through the proxy. */
  url: string;
  /** Returns and resets the count: how often bytes were sent to the database after a reply. */
  take(): number;
  close(): Promise<void>;
}

/** Opens a counting proxy to a database. */
export async function openCountingProxy(databaseUrl: string): Promise<CountingProxy> {
  const target = new URL(databaseUrl);
  let count = 0;
  const server = createServer((client) => {
    const database = connectTo({ host: target.hostname, port: Number(target.port), noDelay: true });
    client.setNoDelay(true);
    let hasReplied = true;
    client.on('data', (chunk) => {
      if (hasReplied) count++;
      hasReplied = false;
      database.write(chunk);
    });
    database.on('data', (chunk) => {
      hasReplied = true;
      client.write(chunk);
    });
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on('close', () => other.destroy());
      one.on('error', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    take: () => {
      const taken = count;
      count = 0;
      return taken;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
