import { createServer } from 'node:net';
import { oneAddressOf } from './listen.ts';

/** Returns the port if it is free, else 0, which means any port. */
export function portIfFree(port: number, host: string): Promise<number> {
  return refuseTakenPort(port, host).then(
    () => port,
    () => 0,
  );
}

/** Rejects with the error of listening on the port if that fails, such as EADDRINUSE. */
export async function refuseTakenPort(port: number, host: string): Promise<void> {
  const address = await oneAddressOf(host);
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(port, address, () => probe.close(() => resolve()));
  });
}
