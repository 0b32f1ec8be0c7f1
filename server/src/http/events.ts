import { eventsPath, type Topic } from '@hengfu/contract/events';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ChangeFeed } from '#db/change-feed.ts';
import type { Metrics } from '#metrics.ts';
import type { Guards } from './guards.ts';

const heartbeatMs = 20_000;
/** How often a stream asks whether its session still lives. */
const sessionCheckMs = 60_000;
/** A burst of changes reaches a screen as one message. */
const gatherMs = 100;

/** The stream of changes that open screens follow (server-sent events). */
export function eventRoutes(app: FastifyInstance, guards: Guards, feed: ChangeFeed, metrics: Metrics): void {
  const open = new Set<FastifyReply>();
  // Before the server waits for requests to finish: these never would.
  app.addHook('preClose', async () => {
    for (const reply of open) reply.raw.end();
  });

  app.get(eventsPath, async (request, reply) => {
    const person = await guards.person(request);
    reply.hijack();
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    reply.raw.write('retry: 2000\n\n');
    open.add(reply);
    metrics.eventStreams.set(open.size);

    const gathered = new Set<Topic>();
    let timer: NodeJS.Timeout | undefined;
    const flush = () => {
      timer = undefined;
      reply.raw.write(`data: ${JSON.stringify({ topics: [...gathered] })}\n\n`);
      gathered.clear();
    };
    const unsubscribe = feed.subscribe(person.home.merchantId, (topics) => {
      for (const topic of topics) gathered.add(topic);
      timer ??= setTimeout(flush, gatherMs);
    });
    const heartbeat = setInterval(() => reply.raw.write(': still here\n\n'), heartbeatMs);
    const sessionCheck = setInterval(() => {
      const check = guards.visitor(request, { isWatching: true });
      check.then(
        (person) => person ?? reply.raw.end(),
        // A database that is away ends no session.
        () => undefined,
      );
    }, sessionCheckMs);
    reply.raw.on('close', () => {
      unsubscribe();
      clearTimeout(timer);
      clearInterval(heartbeat);
      clearInterval(sessionCheck);
      open.delete(reply);
      metrics.eventStreams.set(open.size);
    });
  });
}
