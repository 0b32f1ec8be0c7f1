import { Buffer } from 'node:buffer';
import { signatureOf } from '@hengfu/server/http/signature.ts';
import { Webhook } from 'standardwebhooks';

/** 2026-11-20T16:00:00Z. */
const now = 1_795_190_400;
const secret = 'sk_demo_hengfu_2026';
const newSecret = 'sk_第二 secret/+ä';

/** Writes requests with the signatures that the service's own code computes. */
export function requestVectors(): object {
  const request = (
    name: string,
    parts: { method: string; pathWithQuery: string; body?: string; secret?: string; nonce?: string },
  ) => {
    const { method, pathWithQuery, body = '', nonce = '5f0c9b1e7a3d4c52' } = parts;
    const signed = { method, pathWithQuery, timestamp: String(now), nonce, body: Buffer.from(body) };
    const key = parts.secret ?? secret;
    return { name, ...signed, secret: key, body, signature: signatureOf(key, signed) };
  };
  const path = '/openapi/v1/collections';
  const order =
    '{"out_trade_no":"SO-20261120-0001","amount":"100.00","currency":"CNY","subject":"Rice 5 kg","notifyUrl":"https://shop.example/hengfu/callback","returnUrl":"https://shop.example/orders/SO-20261120-0001"}';
  return {
    requests: [
      request('the worked example of the documentation', {
        method: 'POST',
        pathWithQuery: path,
        body: order,
      }),
      request('a call without a body', {
        method: 'GET',
        pathWithQuery: `${path}?out_trade_no=SO-20261120-0001`,
        nonce: '8d1f6c0a4b7e4e93',
      }),
      request('a body in Chinese and Vietnamese', {
        method: 'POST',
        pathWithQuery: path,
        body: '{"subject":"大米 5 公斤 – gạo tẻ 🍚"}',
      }),
      request('a secret that is not ASCII', {
        method: 'GET',
        pathWithQuery: '/openapi/v1/balance',
        secret: newSecret,
      }),
      request('a query with percent-encoded characters', {
        method: 'GET',
        pathWithQuery: `${path}?out_trade_no=A%2FB%20%26%3D%2B%25%7E`,
      }),
    ],
    /** How order numbers are encoded in a path or a query: every byte but A–Z a–z 0–9 - . _ ~ is escaped. */
    encodings: [
      { text: 'SO-20261120-0001', encoded: 'SO-20261120-0001' },
      { text: "A/B &=+%~!'()*", encoded: 'A%2FB%20%26%3D%2B%25~%21%27%28%29%2A' },
      { text: '订单 1', encoded: '%E8%AE%A2%E5%8D%95%201' },
    ],
  };
}

interface Callback {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly now: number;
  /** `ok`, or the reason of the refusal. */
  readonly outcome:
    | 'ok'
    | 'missing_header'
    | 'timestamp_out_of_range'
    | 'no_matching_signature'
    | 'malformed_body';
}

const id = '8c8b9d4e-6f0b-4a51-9a3c-0d6f3c1b7e21';
const body =
  '{"type":"collection.paid","timestamp":"2026-11-20T16:01:12.000Z","data":{"trade_no":"C202611201600000000001","status":"paid"}}';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const sign = (key: string, text: string, at = now) =>
  new Webhook(base64(key)).sign(id, new Date(at * 1000), text);

const callback = (
  name: string,
  changed: Partial<Callback> & { signature?: string; timestamp?: string },
): Callback => {
  const { signature = sign(secret, body), timestamp = String(now), ...others } = changed;
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return { name, secrets: [secret], headers, body, now, outcome: 'ok', ...others };
};
const good = sign(secret, body);
const unmatched = { outcome: 'no_matching_signature' } as const;

/** Writes callbacks, signed as the service signs them, and what a library must say of each. */
export function callbackVectors(): object {
  const withoutSignature = { 'webhook-id': id, 'webhook-timestamp': String(now) };
  return {
    callbacks: [
      callback('a genuine callback', {}),
      callback('a secret in the form of Standard Webhooks', { secrets: [`whsec_${base64(secret)}`] }),
      callback('the second of two signatures, as during a rotation', {
        signature: `${sign(newSecret, body)} ${good}`,
      }),
      callback('the second of two secrets', { secrets: [newSecret, secret] }),
      callback('a signature of a version to come beside the known one', {
        signature: `v2,AAAA v1a,BBBB ${good}`,
      }),
      callback('names of headers in other letters', {
        headers: { 'Webhook-Id': id, 'WEBHOOK-TIMESTAMP': String(now), 'Webhook-Signature': good },
      }),
      callback('a body in Chinese', {
        body: '{"type":"refund.succeeded","timestamp":"2026-11-20T16:01:12.000Z","data":{"reason":"退一件 🍚"}}',
        signature: sign(
          secret,
          '{"type":"refund.succeeded","timestamp":"2026-11-20T16:01:12.000Z","data":{"reason":"退一件 🍚"}}',
        ),
      }),
      callback('300 seconds old', { now: now + 300 }),
      callback('301 seconds old', { now: now + 301, outcome: 'timestamp_out_of_range' }),
      callback('301 seconds in the future', { now: now - 301, outcome: 'timestamp_out_of_range' }),
      callback('a timestamp that is no number', { timestamp: `${now}x`, outcome: 'timestamp_out_of_range' }),
      callback('an empty timestamp', { timestamp: '', outcome: 'missing_header' }),
      callback('another timestamp than the one that was signed', {
        timestamp: String(now + 1),
        ...unmatched,
      }),
      callback('another body', { body: body.replace('paid', 'PAID'), ...unmatched }),
      callback('a body that was parsed and written again', {
        body: JSON.stringify(JSON.parse(body), null, 1),
        ...unmatched,
      }),
      callback('another secret', { secrets: [newSecret], ...unmatched }),
      callback('a shortened signature', { signature: good.slice(0, -4), ...unmatched }),
      callback('a signature of an unknown version alone', {
        signature: good.replace('v1,', 'v2,'),
        ...unmatched,
      }),
      ...hostileCallbacks(),
      callback('no signature', { headers: withoutSignature, outcome: 'missing_header' }),
      callback('a signed body that is not JSON', {
        body: 'hello',
        signature: sign(secret, 'hello'),
        outcome: 'malformed_body',
      }),
      callback('a signed body without a type', {
        body: '{"data":{}}',
        signature: sign(secret, '{"data":{}}'),
        outcome: 'malformed_body',
      }),
    ],
    /** Secrets without a key: every library refuses them, whatever the callback. An empty key would let anyone sign. */
    refusedSecrets: [
      '',
      'whsec_',
      'whsec_====',
      'whsec_Zg=',
      'whsec_!!!!',
      `whsec_${base64(secret)}!`,
      'whsec_c2tf_w==',
      'whsec_密钥',
    ],
  };
}

/** Writes callbacks with headers that no service sends: not ASCII, huge or repeated. */
function hostileCallbacks(): Callback[] {
  return [
    callback('a signature that is not ASCII', { signature: `${good}ä 签`, ...unmatched }),
    callback('an ID that is not ASCII', {
      headers: { 'webhook-id': `${id}ä`, 'webhook-timestamp': String(now), 'webhook-signature': good },
      ...unmatched,
    }),
    callback('a timestamp in digits that are not ASCII', {
      timestamp: String(now).replaceAll('1', '１'),
      outcome: 'timestamp_out_of_range',
    }),
    callback('a huge timestamp', { timestamp: '9'.repeat(500), outcome: 'timestamp_out_of_range' }),
    callback('a repeated timestamp header, joined by a comma', {
      timestamp: `${now}, ${now}`,
      outcome: 'timestamp_out_of_range',
    }),
    callback('two hundred signatures, none of which matches', {
      signature: Array(200).fill(sign(newSecret, body)).join(' '),
      ...unmatched,
    }),
    callback('a repeated signature header, joined by a comma', {
      signature: `${good},${good}`,
      ...unmatched,
    }),
    callback('a signature with characters that base64 does not have', {
      signature: good.replace('v1,', 'v1,!'),
      ...unmatched,
    }),
  ];
}
