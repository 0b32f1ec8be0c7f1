import * as z from 'zod';
import { phrase } from './phrase.ts';
import { requiredText, visibleText } from './visible-text.ts';

/** The fields that a payment link can ask its payers for, besides those with a text of its own. */
export const payerFields = ['name', 'email', 'reference'] as const;
export type PayerField = (typeof payerFields)[number];

/** Own fields of one link. */
export const maxOwnFields = 5;
const maxLabelLength = 40;

/** The fields that a payer must fill in: known ones, and the labels of own ones. */
export const askedFields = z.strictObject({
  known: z.array(z.enum(payerFields)).max(payerFields.length),
  own: z

    .array(visibleText('validation.required', maxLabelLength))
    .max(maxOwnFields, phrase('validation.ownFields')),
});
export type AskedFields = z.output<typeof askedFields>;

/** An answer of a payer. `label` is the merchant's own; null for a known field. */
export const payerAnswer = z.object({
  field: z.enum([...payerFields, 'own']),
  label: z.string().nullable(),
  value: z.string(),
});
export type PayerAnswer = z.output<typeof payerAnswer>;

const maxAnswerLength = 200;

/** One line of text from a payer that can be seen, without control characters and those that turn the direction of text. */
const answerText = requiredText('validation.required', maxAnswerLength).regex(
  /^[^\p{Cc}\u202a-\u202e\u2066-\u2069]*$/u,
  phrase('validation.unsafeText'),
);

/** A payer's answers. Which of them a link needs is checked with its form. */
export const payerAnswers = {
  name: answerText.optional(),
  email: z
    .string()
    .trim()
    .max(maxAnswerLength, phrase('validation.tooLong'))
    .pipe(z.email(phrase('validation.email')))
    .optional(),
  reference: answerText.optional(),
  own: z.array(answerText).max(maxOwnFields).optional(),
};
