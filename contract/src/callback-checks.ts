import * as z from 'zod';
import { instant } from './lists.ts';

/**
 * The steps of a check of an endpoint, in their order. Addresses with `http` have no step `tls`, and servers that refuse a right signature
 * none for a wrong one.
 */
export const checkSteps = ['name', 'connect', 'tls', 'message', 'signature', 'clock'] as const;
export type CheckStepName = (typeof checkSteps)[number];

/** Faults that a check finds. */
export const checkFindings = [
  /** The name does not exist in public DNS, or the address is not a public one; see `callbackFailures`. */
  'notPublic',
  'refused',
  'unreachable',
  'connectTimeout',
  'certificateExpired',
  'certificateNotYetValid',
  'certificateName',
  'certificateChain',
  'certificateSelfSigned',
  'certificateUntrusted',
  'tlsFailed',
  'answerTimeout',
  'hungUp',
  'noHttp',
  'redirect',
  'signatureRefused',
  'wrongStatus',
  'slow',
  'replyTooLarge',
  'wrongSignatureAccepted',
  'clockWrong',
] as const;
export type CheckFinding = (typeof checkFindings)[number];

/** Findings that do not keep messages from arriving. */
export const checkWarnings: readonly CheckFinding[] = [
  'slow',
  'replyTooLarge',
  'wrongSignatureAccepted',
  'clockWrong',
];

/** The outcome of a check: its first fault, or else its first warning. `interrupted`: our process ended during the check. */
export const checkVerdicts = ['good', ...checkFindings, 'interrupted'] as const;
export type CheckVerdict = (typeof checkVerdicts)[number];

export const checkStep = z.object({
  step: z.enum(checkSteps),
  /** Null if the step found nothing wrong. */
  finding: z.enum(checkFindings).nullable(),
  durationMs: z.number().int(),
  /** Of the reply. */
  httpStatus: z.number().int().nullable(),
  /** By how many seconds the server's clock is ahead of ours; only in the step `clock`, and null if the reply has no time. */
  offsetSeconds: z.number().int().nullable(),
});
export type CheckStep = z.output<typeof checkStep>;

/** The last check of an endpoint. */
export const callbackCheck = z.object({
  steps: z.array(checkStep),
  /** Null while the check is in progress. */
  verdict: z.enum(checkVerdicts).nullable(),
  startedAt: instant,
});
export type CallbackCheck = z.output<typeof callbackCheck>;

/** The event of the messages that a check sends. Orders never have it. */
export const testEvent = 'endpoint.test';
