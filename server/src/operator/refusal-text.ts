import type { ErrorCode } from '@hengfu/contract/errors';
import { isPhrase, translate } from '#domain/language.ts';
import type { PhraseValues, Refusal } from '#domain/refusal.ts';

/** Advice for operators about a refusal, where the console's phrase would not help. */
const sentences: Partial<Record<ErrorCode, string>> = {
  not_found: 'No record has that name or number.',
  conflict: 'Already in use: the name or transaction hash is taken, or the user has a second factor.',
  invalid_transition:
    'Not possible in the current state: the order has progressed too far, or the merchant of the batch is not suspended.',
  merchant_suspended:
    'The merchant is suspended: “merchant show” shows why, and “merchant reactivate” ends the suspension.',
  validation_failed: 'That value is not valid. --help shows the accepted values.',
};

/** Explains a refusal to an operator: a sentence, its code, and the message of each field at fault. */
export function refusalText({ code, values, fields }: Refusal): string {
  const sentence = sentences[code] ?? translate('en', `errors.${code}`, inEnglish(values));
  const faults = fields.map(
    ({ field, phrase, values: of = {} }) => `${field}: ${translate('en', phrase, inEnglish(of))}`,
  );
  return [`${sentence} (${code})`, ...faults].join(' ');
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
