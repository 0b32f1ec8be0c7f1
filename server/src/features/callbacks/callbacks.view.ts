import type { CallbackAddress } from '@hengfu/contract/callback-addresses';
import type { CallbackCheck } from '@hengfu/contract/callback-checks';
import type { CallbackEndpoint } from '@hengfu/contract/callback-endpoints';
import type { CallbackDetail, CallbackRow, SentMessage } from '@hengfu/contract/callback-messages';
import { callbackHeaders, changingHeaders } from '#callbacks/request.ts';
import { shownReply } from '#callbacks/shown-reply.ts';
import type { KeyAddress } from './callback-addresses.sql.ts';
import type { StoredCheck } from './callback-checks.sql.ts';
import type { Endpoint } from './callback-endpoints.sql.ts';
import type { MessageHistory } from './callback-messages.service.ts';
import type { CallbackMessage } from './callback-messages.sql.ts';
import { stateOf } from './callbacks.rules.ts';

/** Masks personal data in a body. */
type MaskBody = (body: unknown) => { text: string; isMasked: boolean };

/** Maps an endpoint to its API form. Its secrets stay on the server. */
export function toEndpoint({ id, check, ...endpoint }: Endpoint): CallbackEndpoint {
  return {
    id: String(id),
    url: endpoint.url,
    description: endpoint.description,
    events: endpoint.events,
    state: endpoint.state,
    failingSince: endpoint.failingSince?.toISOString() ?? null,
    waiting: endpoint.waiting,
    previousEndsAt: endpoint.previousEndsAt?.toISOString() ?? null,
    createdAt: endpoint.createdAt.toISOString(),
    check: check && toCheck(check),
  };
}

/** Maps the callback URL of a key to its API form. */
export function toAddress({ check, ...address }: KeyAddress): CallbackAddress {
  return { ...address, check: check && toCheck(check) };
}

/** Maps a check to its API form. */
export function toCheck({ steps, verdict, startedAt }: StoredCheck): CallbackCheck {
  return { steps, verdict, startedAt: startedAt.toISOString() };
}

/** Maps a callback to a row of the list. */
export function toRow(message: CallbackMessage): CallbackRow {
  const { id, subjectNo, subjectKind, event, url, endpoint, isHeld, attempts } = message;
  return {
    id,
    trade_no: subjectNo,
    subjectKind,
    event,
    url,
    endpoint: endpoint ? { id: String(endpoint.id), description: endpoint.description } : null,
    state: stateOf(message),
    isHeld,
    attempts,
    createdAt: message.createdAt.toISOString(),
    deliveredAt: message.deliveredAt?.toISOString() ?? null,
    resentAt: message.resentAt?.toISOString() ?? null,
  };
}

/** Maps a callback to what its next attempt would send, without personal data and without signatures. */
function toSent({ id, body, resentAt }: MessageHistory, maskBody: MaskBody): SentMessage {
  const { text, isMasked } = maskBody(JSON.parse(body));
  const headers = callbackHeaders({ id, body, isResend: resentAt !== null }, []);
  return {
    headers: Object.entries(headers).map(([name, value]) => ({
      name,
      value: changingHeaders.includes(name) ? null : value,
    })),
    body: text,
    isMasked,
  };
}

/** Maps a callback with its attempts to its detail. */
export function toDetail(message: MessageHistory, maskBody: MaskBody): CallbackDetail {
  return {
    ...toRow(message),
    message: toSent(message, maskBody),
    history: message.history.map(({ attempt, at, httpStatus, error, durationMs, reply, isResend }) => ({
      attempt,
      at: at.toISOString(),
      httpStatus,
      error,
      durationMs,
      reply: reply === null ? null : shownReply(reply),
      isResend,
    })),
  };
}
