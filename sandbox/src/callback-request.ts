import { Agent, request } from 'undici';
import { signatureHeader, signCallback, timestampHeader, unixSeconds } from './signature.ts';

/** How one attempt ended: `result` is the HTTP status, or the error. */
export type AttemptResult = { isAcknowledged: boolean; result: string };

/** Makes single, signed attempts at callbacks. */
export type CallbackRequester = {
  /**
   * Posts a callback once; never rejects. A redirect does not acknowledge. Undefined if `close` aborted it.
   */
  post(url: string, body: string): Promise<AttemptResult | undefined>;
  /** Aborts the attempts in progress and closes the connections. */
  close(): Promise<void>;
};

/** Creates a requester that signs with the shared secret and limits each attempt to `timeoutMs`. */
export function createCallbackRequester(secret: string, timeoutMs: number): CallbackRequester {
  const agent = new Agent({ connections: 32 });
  let isClosed = false;

  async function post(url: string, body: string): Promise<AttemptResult | undefined> {
    const timestamp = unixSeconds(Date.now());
    try {
      const response = await request(url, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          [timestampHeader]: timestamp,
          [signatureHeader]: signCallback(secret, timestamp, body),
        },
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      // The response's body is ignored; draining a little of it keeps the connection reusable.
      await response.body.dump({ limit: 16_384 }).catch(() => undefined);
      const { statusCode } = response;
      return { isAcknowledged: statusCode >= 200 && statusCode < 300, result: String(statusCode) };
    } catch (error) {
      if (isClosed) return undefined;
      return { isAcknowledged: false, result: error instanceof Error ? error.message : 'failed' };
    }
  }

  return {
    post,
    close() {
      isClosed = true;
      return agent.destroy();
    },
  };
}
