import { type IncomingMessage, request } from 'node:http';
import type { StreamsReport } from './events.ts';

const path = '/api/merchant/events';
/** Streams opened at once; users do not all arrive at the same moment. */
const batchSize = 50;

/** Opens streams, with the cookies round-robin, and records arriving messages until the parent stops it. */
async function follow(plan: { url: string; cookies: readonly string[]; streams: number }): Promise<void> {
  const arrivals: StreamsReport['arrivals'] = [];
  const replies = new Set<IncomingMessage>();
  const open = (stream: number) =>
    new Promise<void>((resolve, reject) => {
      const headers = { cookie: plan.cookies[stream % plan.cookies.length] ?? '' };
      // Each stream has its own socket: 2,000 file descriptors here, and as many in the product.
      const call = request(plan.url + path, { headers, agent: false }, (reply) => {
        if (reply.statusCode !== 200) return reject(new Error(`a stream was refused: ${reply.statusCode}`));
        replies.add(reply);
        reply.setEncoding('utf8');
        reply.on('data', (text: string) => {
          if (text.includes('data:'))
            arrivals.push({ stream, at: performance.timeOrigin + performance.now() });
        });
        reply.once('close', () => replies.delete(reply));
        return resolve();
      });
      call.once('error', reject);
      call.end();
    });
  const startedAt = performance.now();
  for (let first = 0; first < plan.streams; first += batchSize) {
    const count = Math.min(batchSize, plan.streams - first);
    await Promise.all(Array.from({ length: count }, (_, index) => open(first + index)));
  }
  process.once('message', () => {
    const report: StreamsReport = { open: replies.size, arrivals };
    process.send?.(report, () => process.exit());
  });
  process.send?.({ ms: performance.now() - startedAt });
}

process.once('message', (plan: Parameters<typeof follow>[0]) => void follow(plan));
