import type { ErrorCode } from '@hengfu/contract/errors';
import { isPhrase, translate } from '#domain/language.ts';
import type { PhraseValues, Refusal } from '#domain/refusal.ts';
import { nextCommands } from './next-commands.ts';

/** Advice for operators about a refusal, where the console's phrase would not help. */
const sentences: Partial<Record<ErrorCode, string | ((values: PhraseValues) => string)>> = {
  not_found: 'No record has that name or number.',
  conflict:
    'Not possible: the name, email or transaction hash is already in use, or nothing would change (for example, the merchant is not suspended). To add an existing account to another merchant: user invite',
  invalid_transition:
    'Not possible while the merchant of the batch is active. Next: merchant suspend --merchant <code> --reason <text>',
  idempotency_key_reused: ({ number }) =>
    `Nothing has moved: a transfer was made under this key before, ${number}. It has other merchants, another amount or another note, or is too old to be compared. If it is the one you mean, you are done; another one needs a key of its own.`,
  merchant_suspended:
    'The merchant is suspended: “merchant show” shows why, and “merchant reactivate” ends the suspension.',
  validation_failed: 'That value is not valid. --help shows the accepted values.',
};

/**
 * Explains a refusal to an operator: a sentence, its code, and the message of each field at fault. For an
 * order in another state than the command requires, it names the state and the commands that apply to it;
 * `args` are the arguments of the refused command. For a person who has another email now, it names that one.
 */
export function refusalText({ code, values, fields }: Refusal, args: readonly string[] = []): string {
  const advice = sentences[code];
  const sentence =
    stateText(values.status, args) ??
    newEmailText(values) ??
    (typeof advice === 'function' ? advice(values) : advice) ??
    translate('en', `errors.${code}`, inEnglish(values));
  const faults = fields.map(
    ({ field, phrase, values: of = {} }) => `${field}: ${translate('en', phrase, inEnglish(of))}`,
  );
  return [`${sentence} (${code})`, ...faults].join(' ');
}

/** Names the email that somebody signs in with now, given with the former one. */
function newEmailText({ email, newEmail }: PhraseValues): string | undefined {
  if (email === undefined || newEmail === undefined) return undefined;
  return `${email} now signs in as ${newEmail}. Verify who has changed it, then run the command with that email.`;
}

const orderNumber = /^[A-Z]\d{21}$/;

/** Names an order's state, given as a phrase, and the commands that apply to it. */
function stateText(status: PhraseValues[string] | undefined, args: readonly string[]): string | undefined {
  if (typeof status !== 'string' || !isPhrase(status)) return undefined;
  const order = args.find((arg) => orderNumber.test(arg)) ?? '<trade_no>';
  const next = nextCommands[status]?.map((command) => command.replace('<trade_no>', order));
  const state = `Not possible: the status is “${translate('en', status)}”.`;
  if (next === undefined) return state;
  return next.length === 0 ? `${state} This status is final.` : `${state} Next: ${next.join(', or ')}`;
}

/** Replaces the values that name a phrase, such as a status, by that phrase. */
function inEnglish(values: PhraseValues): PhraseValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && isPhrase(value) ? translate('en', value) : value,
    ]),
  );
}
