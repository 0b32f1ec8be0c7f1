import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span in OTLP's JSON format, with its attributes as an object. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number };
  attributes: Record<string, string | number>;
}

interface Value {
  stringValue?: string;
  intValue?: number | string;
}
type RawSpan = Omit<CollectedSpan, 'attributes'> & { attributes: { key: string; value: Value }[] };

/** An OpenTelemetry collector that takes traces as JSON (OTLP over HTTP) and keeps them. */
export class TraceCollector {
  readonly url: string;
  /** The bodies received, unparsed. */
  readonly bodies: string[] = [];
  readonly spans: CollectedSpan[] = [];
  /** The status of its answers. */
  status = 200;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<TraceCollector> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url === '/v1/traces') collector.#take(Buffer.concat(chunks).toString());
        response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const collector = new TraceCollector(server);
    return collector;
  }

  #take(body: string): void {
    this.bodies.push(body);
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { scopeSpans: { spans: RawSpan[] }[] }[];
    };
    for (const { scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans)
        for (const span of spans) {
          const attributes = span.attributes.map(({ key, value }) => [
            key,
            value.stringValue ?? Number(value.intValue),
          ]);
          this.spans.push({ ...span, attributes: Object.fromEntries(attributes) });
        }
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
