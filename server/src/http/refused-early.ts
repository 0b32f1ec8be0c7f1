import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorReply } from '@hengfu/contract/error-reply';
import { type ErrorCode, errorStatus } from '@hengfu/contract/errors';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { translate } from '#domain/language.ts';
import { Refusal } from '#domain/refusal.ts';
import { newRequestId } from '#domain/request-ids.ts';
import { sendError } from './error-handler.ts';

/** Security headers of a reply that is sent before any hook has run. */
export type EarlyHeaders = Readonly<Record<string, string>>;

/** Builds headers that forbid scripts and framing; `hsts` is undefined unless the site uses https. */
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

/** Replies to a URL that can't be decoded (`/%zz`), or with a path parameter that is too long. */
export function refuseBadUrl(headers: EarlyHeaders) {
  return ({ code }: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = new Refusal(code === 'FST_ERR_MAX_PARAM_LENGTH' ? 'not_found' : 'bad_request');
    return sendError(refusal, request, reply.headers({ ...headers, 'x-request-id': request.id }));
  };
}

/** Replies to bytes that are not HTTP, or to headers that are too long; no request object exists yet. */
export function refuseMalformed(headers: EarlyHeaders) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const code: ErrorCode = error.code === 'HPE_HEADER_OVERFLOW' ? 'payload_too_large' : 'bad_request';
    const id = newRequestId();
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
