import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type * as z from 'zod';
import { ApiError } from '../platform/api-error.ts';
import { messageOf, type ShownInPlace } from '../platform/failures.ts';
import { type CallArguments, call } from '../platform/http.ts';
import { translateIssue } from '../platform/i18n.ts';

/** The state that a form's fields and button need. */
export interface FormState {
  /** Error messages by field name. */
  faults: Readonly<Record<string, string>>;
  /** Error message for the form as a whole. */
  refusal: string | undefined;
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
  const shown: ShownInPlace = [...inlineCodes, ...inPlace];
  const mutation = useMutation({
    mutationFn: ({ body }: { body: Body; form: HTMLFormElement }) => send(body),
    meta: { inPlace: shown },
    onSuccess: (reply, { form }) => onDone(reply, form),
    onError: (error, { form }) => {
      if (!(error instanceof ApiError)) return;
      const fields = Object.entries(error.fieldErrors);
      show(Object.fromEntries(fields.map(([name, texts]) => [name, texts.join('\n')])), form);
    },
  });
  const show = (found: Record<string, string>, form: HTMLFormElement) => {
    setFaults(found);
    const first = [...form.elements].find((element) => (element.getAttribute('name') ?? '') in found);
    if (first instanceof HTMLElement) first.focus();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (mutation.isPending) return;
    const form = event.currentTarget;
    const body = Object.fromEntries(new FormData(form));
    const issues = schema
      ?.safeParse(body)
      .error?.issues.map(({ path, message }) => [String(path[0]), translateIssue(message)] as const);
    show(Object.fromEntries(issues?.toReversed() ?? []), form);
    if (!issues) mutation.mutate({ body, form });
  };
  const error = mutation.error instanceof ApiError ? mutation.error : undefined;
  const isFormError = error !== undefined && Object.keys(error.fieldErrors).length === 0;
  const isDeclined = error?.code === 'password_confirmation_required';
  return {
    faults,
    refusal: isFormError && !isDeclined ? messageOf(error) : undefined,
    isBusy: mutation.isPending,
    submit,
    forget: (name) => setFaults((known) => without(known, name)),
    error,
  };
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
