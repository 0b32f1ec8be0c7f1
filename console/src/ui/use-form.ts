import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type * as z from 'zod';
import { ApiError } from '../platform/api-error.ts';
import { messageOf, type ShownInPlace } from '../platform/failures.ts';
import { type CallArguments, call } from '../platform/http.ts';
import { translateIssue } from '../platform/i18n.ts';

/** What a form's fields and button need to know. */
export interface FormState {
  /** What is wrong, by the name of the field. */
  faults: Readonly<Record<string, string>>;
  /** Why the whole was refused. */
  refusal: string | undefined;
  isBusy: boolean;
  submit: (event: FormEvent<HTMLFormElement>) => void;
  /** A field is being mended: what was said of it holds no more. */
  forget: (name: string) => void;
}

type Body = Readonly<Record<string, FormDataEntryValue>>;

/** What a form does. */
export interface FormWork<R> {
  /** What its fields must be before anything is sent. */
  schema?: z.ZodType | undefined;
  send: (body: Body) => Promise<R>;
  onDone: (reply: R, form: HTMLFormElement) => void;
  /** Error codes that it shows itself, besides those that every form does. */
  inPlace?: readonly ApiError['code'][];
}

/** What a form shows by itself, beside its fields. */
const shownHere: readonly ApiError['code'][] = [
  'validation_failed',
  'too_many_attempts',
  'too_many_requests',
  'conflict',
  'password_confirmation_required',
];

/** A form: its fields are checked before anything is sent and by the server after, and it shows what is wrong itself. */
export function useForm<R>({
  schema,
  send,
  onDone,
  inPlace = [],
}: FormWork<R>): FormState & { error: ApiError | undefined } {
  const [faults, setFaults] = useState<Record<string, string>>({});
  const shown: ShownInPlace = [...shownHere, ...inPlace];
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
  const isWhole = error !== undefined && Object.keys(error.fieldErrors).length === 0;
  const isSilent = error?.code === 'password_confirmation_required';
  return {
    faults,
    refusal: isWhole && !isSilent ? messageOf(error) : undefined,
    isBusy: mutation.isPending,
    submit,
    forget: (name) => setFaults((known) => without(known, name)),
    error,
  };
}

/** Faults but those of one field; the same object where it has none. */
export function without(faults: Readonly<Record<string, string>>, name: string): Record<string, string> {
  if (!(name in faults)) return faults;
  const { [name]: _mended, ...rest } = faults;
  return rest;
}

/** What the server found wrong with fields that are not this form's own: a dialog's, of the form behind it. */
export function foreignFaults(
  error: ApiError | undefined,
  ownFields: readonly string[],
): Record<string, string> | undefined {
  const found = Object.entries(error?.fieldErrors ?? {}).filter(([name]) => !ownFields.includes(name));
  if (found.length === 0) return undefined;
  return Object.fromEntries(found.map(([name, words]) => [name, words.join('\n')]));
}

/** The fields of a form as texts. */
export function textsOf(body: Body): Record<string, string> {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]));
}

/** A form over a call: its fields bear the names of the call's body, or query. `before` is done before they are sent. */
export function useCallForm<E extends EndpointShape>(
  endpoint: E,
  onDone: (reply: ReplyOf<E>, form: HTMLFormElement) => void,
  before: (body: Readonly<Record<string, unknown>>) => Promise<void> = async () => {},
): FormState {
  return useForm({
    schema: endpoint.body ?? endpoint.query,
    send: async (body) => {
      await before(body);
      // What only reads has its fields in the query.
      return call(endpoint, ...([endpoint.body ? { body } : { query: body }] as unknown as CallArguments<E>));
    },
    onDone,
  });
}
