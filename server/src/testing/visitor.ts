import { merchantHeader } from '@hengfu/contract/workplaces';

/** A response whose body has been read. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into replies of every shape
  json: any;
}

/** A browser without a screen: keeps cookies and sends the XSRF token back. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  /** Code of the merchant that the page was rendered for; calls then name it, as the console's do. */
  merchant: string | undefined;
  readonly #url: string;
  readonly #xsrfCookie: string;

  constructor(url: string, xsrfCookie = 'XSRF-TOKEN') {
    this.#url = url;
    this.#xsrfCookie = xsrfCookie;
  }

  async signIn(email: string, password: string): Promise<Answer> {
    await this.get('/api/csrf-cookie');
    return this.post('/api/login', { email, password });
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', path, body, headers);
  }

  /** Sends any call, with the cookies and the XSRF token. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': this.cookies.get(this.#xsrfCookie) ?? '',
        ...(this.merchant !== undefined && { [merchantHeader]: this.merchant }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return read(response);
  }
}

function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/** Reads a response. A body that is not JSON is returned as text. */
export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, json: isJson ? JSON.parse(text) : text };
}
