import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { afterReply } from './after-reply.ts';

/** Health checks read the metrics and wait three seconds: a silent database must not fail them. */
export const probeLimitMs = 2000;

/** Metrics of this process, for Prometheus. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests = new Histogram({
    name: 'hengfu_http_request_seconds',
    help: 'Time to answer a request, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  });
  readonly eventStreams = new Gauge({
    name: 'hengfu_event_streams',
    help: 'Open event streams',
    registers: [this.registry],
  });
  readonly jobs = new Histogram({
    name: 'hengfu_job_seconds',
    help: 'Time of a job, by task and outcome',
    labelNames: ['task', 'outcome'],
    registers: [this.registry],
  });

  readonly #probes: (() => Promise<void>)[] = [];

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Creates a gauge. */
  gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  /** Adds a function that sets gauges each time the metrics are requested. */
  addProbe(probe: () => Promise<void>): void {
    this.#probes.push(probe);
  }

  /** Returns all metrics in Prometheus's text format. */
  async text(): Promise<string> {
    await Promise.all(this.#probes.map((probe) => probe()));
    return this.registry.metrics();
  }

  /**
   * Measures every request of an app, by the time that the service itself took for it. Callers who give up are counted, too: in an
   * outage that is slow, they may be all there are.
   */
  observe(app: FastifyInstance, servedMs: (request: FastifyRequest) => number): void {
    afterReply(app, (request, reply) => {
      const route = request.routeOptions.url ?? 'none';
      this.requests.labels(request.method, route, String(reply.statusCode)).observe(servedMs(request) / 1000);
    });
  }

  /** Serves /metrics on a separate port, so that it can be kept private. Returns the server. */
  async listen(host: string, port: number): Promise<{ server: Server; port: number }> {
    const server = createServer(async (request, response) => {
      if (request.url !== '/metrics') return response.writeHead(404).end();
      return response.writeHead(200, { 'content-type': this.registry.contentType }).end(await this.text());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host, exclusive: true }, resolve);
    });
    return { server, port: (server.address() as AddressInfo).port };
  }
}
