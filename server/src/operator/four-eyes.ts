import type { RoleCode } from '@hengfu/contract/permissions';
import type { RequestFact } from '@hengfu/contract/staff/requests';
import { Option } from 'commander';
import { Refusal } from '#domain/refusal.ts';
import type { PermitQuestion, RaisedAlert } from '../features/operator-permits/operator-permits.service.ts';
import type { CommandContext } from './operator.ts';
import { noteOption } from './parse.ts';
import type { Answer } from './print.ts';

/** The option of a command that needs a second person, for an operator who cannot wait for one. */
export function breakGlassOption(): Option {
  return new Option(
    '--break-glass <reason>',
    'act at once, without a second person, for this reason; everybody who works in the back office is alerted',
  ).argParser(noteOption);
}

/** Answers a command that needs a second person: with what is done, or with the request that waits for one. */
export function doneOrAsked(request: bigint | undefined, done: string): Answer {
  if (request === undefined) return { done };
  return {
    done: `Request ${request} waits: somebody with the permission has to approve it in the back office. Nothing has changed yet.`,
    facts: { request: String(request) },
  };
}

/**
 * Runs a command that a second person agrees to beforehand. The first time, it asks; the same command, run again by the same operator once
 * somebody has agreed, acts.
 */
export async function onceAgreed(
  { withStaff, actor }: Pick<CommandContext, 'withStaff' | 'actor'>,
  question: PermitQuestion,
  breakGlass: string | undefined,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const alerts: RaisedAlert[] = [];
  const onAlert = (alert: RaisedAlert) => void alerts.push(alert);
  const noted = async (error: unknown): Promise<never> => {
    const [alert] = alerts;
    if (alert && error instanceof Refusal)
      await withStaff(({ services: { operatorPermits } }) => operatorPermits.noteRefused(alert, error));
    throw error;
  };
  const request = await withStaff(({ services: { operatorPermits } }) =>
    operatorPermits.obtain(question, actor, { breakGlass, onAlert }),
  ).catch(noted);
  if (request === undefined) return work().catch(noted);
  return {
    done: [
      `Request ${request} waits: somebody with the permission has to approve it in the back office. Nothing has changed yet.`,
      'Once it is approved, run the same command again within a day.',
    ],
    facts: { request: String(request) },
  };
}

/** A command that gives access to a merchant. The facts say all that it does. */
export interface AccessCommand {
  command: string;
  /** The email address of the person concerned, if there is one. */
  person?: string;
  /** The person's ID, for a permit that must not serve for somebody else with the same address. */
  userId?: bigint;
  facts?: readonly RequestFact[];
  reason?: string;
}

/** Builds the question of a command that gives access to a merchant. */
export function accessQuestion(
  { id, code }: { id: bigint; code: string },
  { command, person, userId, facts = [], reason = '' }: AccessCommand,
): PermitQuestion {
  const all: RequestFact[] = [
    { name: 'command', before: null, after: command },
    ...(person === undefined ? [] : [{ name: 'person', before: null, after: person } as const]),
    ...facts,
  ];
  const subject = [code, command, ...(person === undefined ? [] : [person])].join(' ');
  return {
    kind: 'merchantAccess',
    merchantId: id,
    subject,
    change: { facts: all, ...(userId !== undefined && { userId: String(userId) }) },
    facts: all,
    reason,
  };
}

/**
 * Names roles for the second person, those that the merchant has made with what they permit: their codes alone say nothing, and what they permit
 * must not be another thing by the time the command runs.
 */
export function roleTexts(
  codes: readonly RoleCode[],
  own: readonly { code: RoleCode; perms: readonly string[] }[],
): string {
  const text = (code: RoleCode) => {
    const found = own.find((role) => role.code === code);
    return found ? `${code} (${found.perms.join(' ')})` : code;
  };
  return codes.map(text).join(', ');
}
