import { beatEvent, beatMs, eventsPath, type Topic } from '@hengfu/contract/events';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ChangeFeed } from '#db/change-feed.ts';
import type { Change } from '#db/database.ts';
import type { Metrics } from '#metrics.ts';
import type { Guards } from './guards.ts';

/** Tells screens that the stream lives; one that stays away tells them that it does not. */
const liveBeat = `event: ${beatEvent}\ndata: 1\n\n`;
/** How often a stream asks whether its session still lives, besides when it is told that one of its user's has ended. */
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
    // A hijacked reply is sent past the server, which would otherwise add what every reply carries.
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
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
    const checkSession = () => {
      guards.visitor(request, { isWatching: true }).then(
        (person) => person ?? reply.raw.end(),
        // A database that is away ends no session.
        () => undefined,
      );
    };
    const unsubscribe = feed.subscribe(person.home.merchantId, (changes) => {
      if (changes.includes(`sessions:${person.userId}`)) checkSession();
      const topics = changes.filter(isTopic);
      for (const topic of topics) gathered.add(topic);
      if (topics.length > 0) timer ??= setTimeout(flush, gatherMs);
    });
    const heartbeat = setInterval(() => reply.raw.write(liveBeat), beatMs);
    const sessionCheck = setInterval(checkSession, sessionCheckMs);
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

const isTopic = (change: Change): change is Topic => !change.startsWith('sessions:');
