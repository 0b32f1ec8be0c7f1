import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorReply } from '@hengfu/contract/error-reply';
import { type ErrorCode, errorStatus } from '@hengfu/contract/errors';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { translate } from '#domain/language.ts';
import { Refusal } from '#domain/refusal.ts';
import { sendError } from './error-handler.ts';

/** What a browser must know of a reply that is made before any hook has seen its request. */
export type EarlyHeaders = Readonly<Record<string, string>>;

/** Such a reply holds nothing that a browser could run or frame. `hsts` is absent where the site is not https. */
export function earlyHeaders(hsts: string | undefined): EarlyHeaders {
  return {
    'content-security-policy':
      "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(hsts !== undefined && { 'strict-transport-security': hsts }),
  };
}

/** Answers an address that can't be read (`/%zz`), or whose parts are longer than any of ours. */
export function refuseAddress(headers: EarlyHeaders) {
  return ({ code }: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = new Refusal(code === 'FST_ERR_MAX_PARAM_LENGTH' ? 'not_found' : 'bad_request');
    return sendError(refusal, request, reply.headers({ ...headers, 'x-request-id': request.id }));
  };
}

/** Answers what is no HTTP at all, or whose head is too long; there is no request to speak of. */
export function refuseConnection(headers: EarlyHeaders) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const code: ErrorCode = error.code === 'HPE_HEADER_OVERFLOW' ? 'payload_too_large' : 'bad_request';
    const id = randomUUID();
    const reply: ErrorReply = { message: translate('en', `errors.${code}`), code, request_id: id };
    const body = JSON.stringify(reply);
    const status = errorStatus[code];
    const lines = Object.entries({
      ...headers,
      'x-request-id': id,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  };
}
