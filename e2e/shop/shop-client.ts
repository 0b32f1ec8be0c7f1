import { createHash, createHmac, randomBytes } from 'node:crypto';

/** The service to call, and the credentials. */
export interface ShopOptions {
  /** Scheme and host of the service, without a slash at the end. */
  base: string;
  key: string;
  secret: string;
}

/** An order to create, as docs/open-api.md describes it. Amounts are decimal text, `expiresIn` seconds. */
export interface NewOrder {
  out_trade_no: string;
  amount: string;
  currency: string;
  channel?: string;
  subject?: string;
  notifyUrl?: string;
  returnUrl?: string;
  expiresIn?: number;
}

/** An order as the service returns it. */
export interface Order {
  trade_no: string;
  out_trade_no: string;
  status: 'toBePaid' | 'paid' | 'success' | 'refunded' | 'cancelled' | 'closed' | 'failed';
  amount: string;
  fee: string;
  currency: string;
  channel: string | null;
  subject: string | null;
  cashierUrl: string;
  createdAt: string;
  expiresAt: string;
  paidAt: string | null;
  refundedAt: string | null;
  refundPending: boolean;
  refundApprovalState: string | null;
}

/** A refusal by the service: status, code, and messages by field if there are any. */
export class ShopError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly errors: Record<string, string[]>;

  constructor(
    status: number,
    reply: { code: string; message: string; request_id: string; errors?: Record<string, string[]> },
  ) {
    super(`${status} ${reply.code}: ${reply.message}`);
    this.name = 'ShopError';
    this.status = status;
    this.code = reply.code;
    this.requestId = reply.request_id;
    this.errors = reply.errors ?? {};
  }
}

const timeoutMs = 60_000;
const path = '/openapi/v1/collections';

/** The demo merchant's key. */
export const demoKey: Pick<ShopOptions, 'key' | 'secret'> = {
  key: 'ak_demo_hengfu',
  secret: 'sk_demo_hengfu_2026',
};

/** Signs method, path with query, timestamp, nonce, and the hash of the body with HMAC-SHA256. */
function signature(
  secret: string,
  parts: { method: string; pathWithQuery: string; timestamp: string; nonce: string; body: string },
): string {
  const bodyHash = createHash('sha256').update(parts.body).digest('hex');
  const canonical = [parts.method, parts.pathWithQuery, parts.timestamp, parts.nonce, bodyHash].join('\n');
  return createHmac('sha256', secret).update(canonical).digest('hex');
}

/** A shop's Open API client. Signs every call; a refusal throws {@link ShopError}. */
export class ShopClient {
  readonly options: ShopOptions;

  constructor(options: ShopOptions) {
    this.options = options;
  }

  /** Creates an order; a repeated call returns the same one. */
  create(order: NewOrder): Promise<Order> {
    return this.call('POST', path, order);
  }

  /** Finds an order by the shop's own number. */
  find(outTradeNo: string): Promise<Order> {
    return this.call('GET', `${path}?out_trade_no=${encodeURIComponent(outTradeNo)}`);
  }

  get(tradeNo: string): Promise<Order> {
    return this.call('GET', `${path}/${encodeURIComponent(tradeNo)}`);
  }

  /** Cancels an unpaid order. */
  cancel(tradeNo: string): Promise<Order> {
    return this.call('POST', `${path}/${encodeURIComponent(tradeNo)}/cancel`);
  }

  /** Refunds the whole amount to the payer. */
  refund(tradeNo: string): Promise<Order> {
    return this.call('POST', `${path}/${encodeURIComponent(tradeNo)}/refund`);
  }

  /** Makes any signed call. `headers` replace those that would be sent, for tests of refusals. */
  async call(
    method: string,
    pathWithQuery: string,
    payload?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Order> {
    const { base, key, secret } = this.options;
    const body = payload === undefined ? '' : JSON.stringify(payload);
    const timestamp = headers['x-timestamp'] ?? String(Math.floor(Date.now() / 1000));
    const nonce = headers['x-nonce'] ?? randomBytes(16).toString('hex');
    const response = await fetch(base + pathWithQuery, {
      method,
      headers: {
        'x-key': key,
        'x-timestamp': timestamp,
        'x-nonce': nonce,
        'x-signature': signature(secret, { method, pathWithQuery, timestamp, nonce, body }),
        ...(body !== '' && { 'content-type': 'application/json' }),
        ...headers,
      },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body !== '' && { body }),
    });
    const reply = await response.json();
    if (!response.ok)
      throw new ShopError(response.status, reply as ConstructorParameters<typeof ShopError>[1]);
    return reply as Order;
  }
}
