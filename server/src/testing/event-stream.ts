import { eventsPath } from '@hengfu/contract/events';
import type { Visitor } from './visitor.ts';

/** The stream of changes (server-sent events) of an open screen. */
export class EventStream {
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = '';

  private constructor(reader: ReadableStreamDefaultReader<string>) {
    this.#reader = reader;
  }

  /** Opens the stream of a visitor's session at a web process, perhaps with a query. Throws if it is refused. */
  static async open(url: string, visitor: Visitor, query = '', path = eventsPath): Promise<EventStream> {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url + path + query, { headers: { cookie } });
    const isStream = response.headers.get('content-type')?.includes('text/event-stream');
    if (!response.body || !isStream) throw new Error(`no event stream: ${response.status}`);
    return new EventStream(response.body.pipeThrough(new TextDecoderStream()).getReader());
  }

  /** Returns the next message. Throws if the stream has ended. */
  async next(): Promise<{ topics: string[] }> {
    for (;;) {
      const match = /data: (\{.*)\n\n/.exec(this.#text);
      if (match?.[1]) {
        this.#text = this.#text.slice(match.index + match[0].length);
        return JSON.parse(match[1]);
      }
      const part = await this.#reader.read();
      if (part.done) throw new Error('the stream has ended');
      this.#text += part.value;
    }
  }

  /** Reads messages until one is about a topic: earlier changes may be announced after the stream was opened. */
  async untilAbout(topic: string): Promise<void> {
    while (!(await this.next()).topics.includes(topic));
  }

  /** Resolves once the server has ended the stream. */
  async ended(): Promise<void> {
    while (!(await this.#reader.read()).done);
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}
