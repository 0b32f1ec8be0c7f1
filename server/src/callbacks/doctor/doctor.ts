import { randomBytes, randomUUID } from 'node:crypto';
import {
  type CheckFinding,
  type CheckStep,
  type CheckStepName,
  type CheckVerdict,
  checkWarnings,
  testEvent,
} from '@hengfu/contract/callback-checks';
import { type CallbackHttp, type Outcome, post, signedHeaders } from '../request.ts';
import type { TargetPolicy } from '../target.ts';
import { allowedAddresses, examineTls, openSocket } from './connect.ts';

/** Time for each step before the messages. */
const stepMs = 3000;
/** Time for each of the two messages, besides that for connecting: 29 seconds in all. */
const messageMs = 7000;
/** Time that the first attempts of a callback allow for an answer. */
const slowMs = 3000;
/** A receiver refuses a message whose timestamp differs by more from its own clock (Standard Webhooks). */
const maxOffsetSeconds = 300;

/** An endpoint to examine. */
export interface Patient {
  url: string;
  /** Sign its messages. */
  secrets: readonly string[];
}

/** The means of an examination. */
export interface Tools {
  http: CallbackHttp;
  targets: TargetPolicy;
  /** Called after each step. */
  onStep: (step: CheckStep) => Promise<void>;
}

/**
 * Finds out what is wrong with an endpoint: resolves its name, connects, speaks TLS, and sends it a test event, signed rightly, and if it
 * accepts that, another one that is signed wrongly. Every connection is guarded as those of callbacks are. Stops at the first step that lets no later one succeed.
 */
export async function examine(patient: Patient, tools: Tools): Promise<CheckVerdict> {
  const steps: CheckStep[] = [];
  const note = async (step: CheckStep) => {
    steps.push(step);
    await tools.onStep(step);
    return step.finding;
  };
  const blocked = await examineConnection(new URL(patient.url), tools.targets, note);
  if (blocked === null) await examineMessages(patient, tools, note);
  return verdictOf(steps);
}

type Note = (step: CheckStep) => Promise<CheckFinding | null>;

function step(
  name: CheckStepName,
  finding: CheckFinding | null,
  facts: Partial<Pick<CheckStep, 'durationMs' | 'httpStatus' | 'offsetSeconds'>> = {},
): CheckStep {
  return { step: name, finding, durationMs: 0, httpStatus: null, offsetSeconds: null, ...facts };
}

/** Resolves, connects and speaks TLS. Returns what is in the way; null if nothing is. */
async function examineConnection(url: URL, targets: TargetPolicy, note: Note): Promise<CheckFinding | null> {
  const timer = stopwatch();
  const addresses = await allowedAddresses(url, targets, stepMs);
  // The duration of a failure would reveal which names exist in our network.
  if (addresses.length === 0) return note(step('name', 'notPublic'));
  await note(step('name', null, { durationMs: timer() }));
  const connecting = stopwatch();
  const socket = await openSocket(url, addresses, stepMs);
  const durationMs = connecting();
  if (typeof socket === 'string') return note(step('connect', socket, { durationMs }));
  await note(step('connect', null, { durationMs }));
  if (url.protocol !== 'https:') {
    socket.destroy();
    return null;
  }
  const handshake = stopwatch();
  const finding = await examineTls(socket, url, stepMs);
  return note(step('tls', finding, { durationMs: handshake() }));
}

async function examineMessages({ url, secrets }: Patient, { http }: Tools, note: Note): Promise<void> {
  const send = async (signers: readonly string[]) => {
    const id = randomUUID();
    const body = JSON.stringify({ type: testEvent, timestamp: new Date().toISOString(), data: {} });
    const outcome = await post(http, { url, body, headers: signedHeaders({ id, body }, signers) }, messageMs);
    return { ...outcome, offsetSeconds: offsetOf(outcome) };
  };
  const right = await send(secrets);
  const { durationMs, httpStatus } = right;
  await note(step('message', findingOf(right), { durationMs, httpStatus }));
  if (httpStatus === null) return;
  // Of a server that refuses the right signature, too, the refusal of a wrong one says nothing.
  if (isAccepted(right)) {
    const wrong = await send([randomBytes(32).toString('base64')]);
    await note(
      step('signature', isAccepted(wrong) ? 'wrongSignatureAccepted' : null, {
        durationMs: wrong.durationMs,
        httpStatus: wrong.httpStatus,
      }),
    );
  }
  const { offsetSeconds } = right;
  const isOff = offsetSeconds !== null && Math.abs(offsetSeconds) > maxOffsetSeconds;
  await note(step('clock', isOff ? 'clockWrong' : null, { offsetSeconds }));
}

const noAnswer: Readonly<Record<string, CheckFinding>> = {
  notPublic: 'notPublic',
  unreachable: 'hungUp',
  timeout: 'answerTimeout',
  certificate: 'tlsFailed',
};

/** Judges the answer to the message that was signed rightly. */
function findingOf({ httpStatus, error, durationMs, isReplyTooLarge }: Outcome): CheckFinding | null {
  if (httpStatus === null) return noAnswer[error ?? ''] ?? 'noHttp';
  if (httpStatus >= 300 && httpStatus < 400) return 'redirect';
  if (httpStatus === 401 || httpStatus === 403) return 'signatureRefused';
  if (httpStatus < 200 || httpStatus >= 300) return 'wrongStatus';
  if (isReplyTooLarge) return 'replyTooLarge';
  return durationMs > slowMs ? 'slow' : null;
}

function isAccepted({ httpStatus }: Outcome): boolean {
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
}

/** Returns by how many seconds the server's clock was ahead of ours halfway through the call; null if it did not say. */
function offsetOf({ date, durationMs }: Outcome): number | null {
  const theirsMs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(theirsMs)) return null;
  const offset = Math.round((theirsMs - (Date.now() - durationMs / 2)) / 1000);
  return Number.isSafeInteger(offset) ? offset : null;
}

/** Returns the first fault, or else the first warning. A wrong clock is why a server refuses signatures. */
function verdictOf(steps: readonly CheckStep[]): CheckVerdict {
  const findings = steps.flatMap(({ finding }) => finding ?? []);
  const fault = findings.find((finding) => !checkWarnings.includes(finding));
  const isRefused = fault === 'signatureRefused' || fault === 'wrongStatus';
  if (isRefused && findings.includes('clockWrong')) return 'clockWrong';
  return fault ?? findings[0] ?? 'good';
}

function stopwatch(): () => number {
  const startedAt = performance.now();
  return () => Math.round(performance.now() - startedAt);
}
