import { type IncomingMessage, request } from 'node:http';
import type { StreamsReport } from './events.ts';

const path = '/api/merchant/events';
/** Opened at a time: as people come, not all in one instant. */
const atOnce = 50;

/** Opens streams, stream n with the nth cookie in turn, and notes when messages arrive until it is told to stop. */
async function follow(plan: { url: string; cookies: readonly string[]; streams: number }): Promise<void> {
  const arrivals: StreamsReport['arrivals'] = [];
  const answers = new Set<IncomingMessage>();
  const open = (stream: number) =>
    new Promise<void>((resolve, reject) => {
      const headers = { cookie: plan.cookies[stream % plan.cookies.length] ?? '' };
      // A socket of its own for each: 2,000 file descriptors here, and as many in the product.
      const call = request(plan.url + path, { headers, agent: false }, (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`a stream was refused: ${answer.statusCode}`));
        answers.add(answer);
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => {
          if (text.includes('data:'))
            arrivals.push({ stream, at: performance.timeOrigin + performance.now() });
        });
        answer.once('close', () => answers.delete(answer));
        return resolve();
      });
      call.once('error', reject);
      call.end();
    });
  const startedAt = performance.now();
  for (let first = 0; first < plan.streams; first += atOnce) {
    const count = Math.min(atOnce, plan.streams - first);
    await Promise.all(Array.from({ length: count }, (_, index) => open(first + index)));
  }
  process.once('message', () => {
    const report: StreamsReport = { open: answers.size, arrivals };
    process.send?.(report, () => process.exit());
  });
  process.send?.({ ms: performance.now() - startedAt });
}

process.once('message', (plan: Parameters<typeof follow>[0]) => void follow(plan));
