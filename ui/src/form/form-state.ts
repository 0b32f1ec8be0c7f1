import type { MutationMeta } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type * as z from 'zod';
import { messageText } from '../language/message-text.ts';
import { checkFields, focusFirst } from './check-fields.ts';
import { useAction } from './use-action.ts';

/** The state that a form's fields and button need. */
export interface FormState {
  /** Error messages by field name. */
  faults: Readonly<Record<string, string>>;
  /** Error message for the form as a whole. */
  refusal: string | undefined;
  /** Several fields are empty that must not be. */
  isIncomplete?: boolean;
  isBusy: boolean;
  submit: (event: FormEvent<HTMLFormElement>) => void;
  /** Clears a field's error, when the user edits it. */
  forget: (name: string) => void;
}

/** The reasons for refusing a submission. */
export interface Refusal {
  /** The messages of fields, by field name. */
  faults: Readonly<Record<string, readonly string[]>>;
  /** The message for the form as a whole, if no field is at fault. */
  text: string | undefined;
}

/** The values of a form's fields. */
export type FormBody = Readonly<Record<string, FormDataEntryValue>>;

/** How a form validates and submits. */
export interface SubmissionOptions<R> {
  /** Checked before anything is sent. */
  schema?: z.ZodType | undefined;
  send: (body: FormBody) => Promise<R>;
  onDone: (reply: R, form: HTMLFormElement) => void;
  /** Reads a failure of `send`; undefined if the form has nothing to say about it. */
  refusalOf: (error: Error) => Refusal | undefined;
  /** For the app's own handling of failures. */
  meta?: MutationMeta;
}

/** A form with what was typed. */
interface Submitted {
  body: FormBody;
  form: HTMLFormElement;
}

/** Manages a form: validates its fields before sending, and shows these errors and those of a refusal inline. */
export function useSubmission<R>({
  schema,
  send,
  onDone,
  refusalOf,
  meta,
}: SubmissionOptions<R>): FormState & { error: Error | null } {
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [isIncomplete, setIncomplete] = useState(false);
  const mutation = useAction<R, Submitted>(
    {
      mutationFn: ({ body }) => send(body),
      ...(meta && { meta }),
      // Passwords and codes are forgotten with the form.
      gcTime: 0,
      onSuccess: (reply, { form }) => onDone(reply, form),
      onError: (error, { form }) => {
        const refusal = refusalOf(error);
        if (!refusal) return;
        setFaults(faultTexts(refusal.faults));
        focusFirst(form, refusal.faults);
      },
    },
    () => 'form',
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (mutation.isPending) return;
    const form = event.currentTarget;
    const body = Object.fromEntries(new FormData(form));
    const checked = checkFields(form, schema);
    setFaults(checked.faults);
    setIncomplete(checked.isIncomplete);
    // Also where the form stays: what was typed is not kept once it has been accepted.
    if (checked.isValid) mutation.mutate({ body, form }, { onSuccess: mutation.reset });
  };
  const refusal = mutation.error ? refusalOf(mutation.error) : undefined;
  return {
    faults,
    refusal: refusal && (refusal.text ?? unshownFaults(refusal, mutation.variables?.form)),
    isIncomplete: isIncomplete && Object.keys(faults).length > 0,
    isBusy: mutation.isPending,
    submit,
    forget: (name) => setFaults((known) => without(known, name)),
    error: mutation.error,
  };
}

/** The errors of fields that the form does not have. */
function unshownFaults({ faults }: Refusal, form: HTMLFormElement | undefined): string | undefined {
  const missing = Object.entries(faults).filter(([name]) => !form?.elements.namedItem(name));
  return Object.values(faultTexts(Object.fromEntries(missing))).join('\n') || undefined;
}

/** Each field's messages as one text, with amounts in the reader's language. */
export function faultTexts(faults: Refusal['faults']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(faults).map(([name, texts]) => [name, messageText(texts.join('\n'))]),
  );
}

/** Removes the errors of a field; returns the same object if it has none. */
export function without(faults: Readonly<Record<string, string>>, name: string): Record<string, string> {
  if (!(name in faults)) return faults;
  const { [name]: _removed, ...rest } = faults;
  return rest;
}
