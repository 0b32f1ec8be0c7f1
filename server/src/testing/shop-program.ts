import { randomUUID } from 'node:crypto';
import { signatureOf } from '#http/signature.ts';
import { type Answer, read } from './visitor.ts';

export interface SignedOptions {
  timestamp?: string;
  nonce?: string;
  /** Headers that replace the correct ones. */
  headers?: Record<string, string | undefined>;
  /** Aborts the call. */
  signal?: AbortSignal;
}

/** A merchant's program: signs its calls to the Open API. */
export class ShopProgram {
  readonly key: { id: string; secret: string };
  readonly #url: string;

  constructor(url: string, key: { id: string; secret: string }) {
    this.#url = url;
    this.key = key;
  }

  get(path: string, options: SignedOptions = {}): Promise<Answer> {
    return this.send('GET', path, undefined, options);
  }

  post(path: string, body?: unknown, options: SignedOptions = {}): Promise<Answer> {
    return this.send('POST', path, body, options);
  }

  /** Creates a collection with default fields; each can be replaced. */
  create(
    outTradeNo: string,
    fields: Record<string, unknown> = {},
    options: SignedOptions = {},
  ): Promise<Answer> {
    const order = { out_trade_no: outTradeNo, amount: '100.00', currency: 'CNY', ...fields };
    return this.post('/openapi/v1/collections', order, options);
  }

  async send(method: string, path: string, body: unknown, options: SignedOptions): Promise<Answer> {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const timestamp = options.timestamp ?? String(Math.floor(Date.now() / 1000));
    const nonce = options.nonce ?? randomUUID();
    const signed = { method, pathWithQuery: path, timestamp, nonce, body: Buffer.from(text) };
    const headers: Record<string, string | undefined> = {
      'x-key': this.key.id,
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': signatureOf(this.key.secret, signed),
      ...(text !== '' && { 'content-type': 'application/json' }),
      ...options.headers,
    };
    const sent = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return read(
      await fetch(this.#url + path, {
        method,
        headers: Object.fromEntries(sent),
        ...(text !== '' && { body: text }),
        ...(options.signal && { signal: options.signal }),
      }),
    );
  }
}
