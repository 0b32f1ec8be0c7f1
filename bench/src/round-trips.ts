import { type AddressInfo, connect as connectTo, createServer } from 'node:net';

/** A wire between the product and its database that counts how often the product waits for it. */
export interface CountedWire {
  /** The database's URL through the wire. */
  url: string;
  /** Round trips since the last reading: times that bytes went to the database after an answer had come. */
  take(): number;
  close(): Promise<void>;
}

/** Opens a counted wire to a database. */
export async function countRoundTrips(databaseUrl: string): Promise<CountedWire> {
  const target = new URL(databaseUrl);
  let count = 0;
  const server = createServer((near) => {
    const far = connectTo({ host: target.hostname, port: Number(target.port), noDelay: true });
    near.setNoDelay(true);
    let isAnswered = true;
    near.on('data', (chunk) => {
      if (isAnswered) count++;
      isAnswered = false;
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      isAnswered = true;
      near.write(chunk);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
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
