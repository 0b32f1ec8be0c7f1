import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type * as z from 'zod';
import { ApiError } from '../platform/api-error.ts';
import { messageOf, type ShownInPlace } from '../platform/failures.ts';
import { type CallArguments, call } from '../platform/http.ts';
import { checkFields, focusFirst } from './check-fields.ts';

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

type Body = Readonly<Record<string, FormDataEntryValue>>;

/** How a form validates and submits. */
export interface FormOptions<R> {
  /** Checked before anything is sent. */
  schema?: z.ZodType | undefined;
  send: (body: Body) => Promise<R>;
  onDone: (reply: R, form: HTMLFormElement) => void;
  /** Error codes that this form shows inline, in addition to those that every form does. */
  inPlace?: readonly ApiError['code'][];
}

/** Error codes that every form shows inline. */
const inlineCodes: readonly ApiError['code'][] = [
  'validation_failed',
  'too_many_attempts',
  'too_many_requests',
  'conflict',
  'password_confirmation_required',
];

/** Manages a form: validates its fields before sending, and shows these errors and the server's inline. */
export function useForm<R>({
  schema,
  send,
  onDone,
  inPlace = [],
}: FormOptions<R>): FormState & { error: ApiError | undefined } {
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [isIncomplete, setIncomplete] = useState(false);
  const shown: ShownInPlace = [...inlineCodes, ...inPlace];
  const mutation = useMutation({
    mutationFn: ({ body }: { body: Body; form: HTMLFormElement }) => send(body),
    meta: { inPlace: shown },
    onSuccess: (reply, { form }) => onDone(reply, form),
    onError: (error, { form }) => {
      if (!(error instanceof ApiError)) return;
      const fields = Object.entries(error.fieldErrors);
      setFaults(Object.fromEntries(fields.map(([name, texts]) => [name, texts.join('\n')])));
      focusFirst(form, error.fieldErrors);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (mutation.isPending) return;
    const form = event.currentTarget;
    const body = Object.fromEntries(new FormData(form));
    const checked = checkFields(form, schema);
    setFaults(checked.faults);
    setIncomplete(checked.isIncomplete);
    if (checked.isValid) mutation.mutate({ body, form });
  };
  const error = mutation.error instanceof ApiError ? mutation.error : undefined;
  return {
    faults,
    refusal: error && refusalOf(error, mutation.variables?.form),
    isIncomplete: isIncomplete && Object.keys(faults).length > 0,
    isBusy: mutation.isPending,
    submit,
    forget: (name) => setFaults((known) => without(known, name)),
    error,
  };
}

/**
 * The error to show for the form as a whole: one without fields, or the errors of fields that the form does not have. A
 * declined confirmation of the password is none.
 */
function refusalOf(error: ApiError, form: HTMLFormElement | undefined): string | undefined {
  if (error.code === 'password_confirmation_required') return undefined;
  const fields = Object.entries(error.fieldErrors);
  if (fields.length === 0) return messageOf(error);
  const missing = fields.filter(([name]) => !form?.elements.namedItem(name));
  return missing.flatMap(([, texts]) => texts).join('\n') || undefined;
}

/** Removes the errors of a field; returns the same object if it has none. */
export function without(faults: Readonly<Record<string, string>>, name: string): Record<string, string> {
  if (!(name in faults)) return faults;
  const { [name]: _removed, ...rest } = faults;
  return rest;
}

/** The server's errors for fields outside this form, such as those of the form behind a dialog. */
export function foreignFaults(
  error: ApiError | undefined,
  ownFields: readonly string[],
): Record<string, string> | undefined {
  const found = Object.entries(error?.fieldErrors ?? {}).filter(([name]) => !ownFields.includes(name));
  if (found.length === 0) return undefined;
  return Object.fromEntries(found.map(([name, texts]) => [name, texts.join('\n')]));
}

/** The values of a form's fields as text. */
export function textsOf(body: Body): Record<string, string> {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]));
}

/**
 * A form that calls an endpoint; its fields are named as in the body, or query. `before` runs before the
 * call.
 */
export function useCallForm<E extends EndpointShape>(
  endpoint: E,
  onDone: (reply: ReplyOf<E>, form: HTMLFormElement) => void,
  before: (body: Readonly<Record<string, unknown>>) => Promise<void> = async () => {},
): FormState {
  return useForm({
    schema: endpoint.body ?? endpoint.query,
    send: async (body) => {
      await before(body);
      // A read takes its fields in the query.
      return call(endpoint, ...([endpoint.body ? { body } : { query: body }] as unknown as CallArguments<E>));
    },
    onDone,
  });
}
