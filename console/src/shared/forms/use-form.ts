import { ApiError } from '@hengfu/client/api-error.ts';
import type { CallArguments } from '@hengfu/client/request.ts';
import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import {
  type FormBody,
  type FormState,
  faultTexts,
  type Refusal,
  type SubmissionOptions,
  useSubmission,
} from '@hengfu/ui/form/form-state.ts';
import { messageOf } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';

/** How a form validates and submits. */
export interface FormOptions<R> extends Omit<SubmissionOptions<R>, 'refusalOf' | 'meta'> {
  /** Error codes that this form shows inline, in addition to those that every form does. */
  inPlace?: readonly ApiError['code'][];
}

/** Error codes that every form shows inline. */
const inlineCodes: readonly ApiError['code'][] = [
  'validation_failed',
  'too_many_attempts',
  'too_many_requests',
  'conflict',
  'request_waiting',
  'idempotency_in_flight',
  'idempotency_key_reused',
  'password_confirmation_required',
];

/** Manages a form: validates its fields before sending, and shows these errors and the server's inline. */
export function useForm<R>({
  inPlace = [],
  ...options
}: FormOptions<R>): FormState & { error: ApiError | undefined } {
  const { error, ...form } = useSubmission({
    ...options,
    refusalOf,
    meta: { inPlace: [...inlineCodes, ...inPlace] },
  });
  return { ...form, error: error instanceof ApiError ? error : undefined };
}

/** Reads the server's refusal. A declined confirmation of the password is no refusal. */
function refusalOf(error: Error): Refusal | undefined {
  if (!(error instanceof ApiError) || error.code === 'password_confirmation_required') return undefined;
  const hasFaults = Object.keys(error.fieldErrors).length > 0;
  return { faults: error.fieldErrors, text: hasFaults ? undefined : messageOf(error) };
}

/** The server's errors for fields outside this form, such as those of the form behind a dialog. */
export function foreignFaults(
  error: ApiError | undefined,
  ownFields: readonly string[],
): Record<string, string> | undefined {
  const found = Object.entries(error?.fieldErrors ?? {}).filter(([name]) => !ownFields.includes(name));
  return found.length === 0 ? undefined : faultTexts(Object.fromEntries(found));
}

/** The values of a form's fields as text. */
export function textsOf(body: FormBody): Record<string, string> {
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
