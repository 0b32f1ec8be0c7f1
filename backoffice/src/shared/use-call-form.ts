import { ApiError } from '@hengfu/client/api-error.ts';
import type { CallArguments } from '@hengfu/client/request.ts';
import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import { type FormBody, type FormState, useSubmission } from '@hengfu/ui/form/form-state.ts';
import { messageOf } from '../platform/failures.ts';
import { call } from '../platform/http.ts';
import { withPasskey } from '../platform/passkeys.ts';

/**
 * A form that calls an endpoint; its fields are named as in the body. `params` are the call's path parameters; `schema` turns fields into the
 * body where they differ.
 */
export function useCallForm<E extends EndpointShape>(
  endpoint: E,
  onDone: (reply: ReplyOf<E>, form: HTMLFormElement) => void,
  params?: Readonly<Record<string, string>>,
  schema?: EndpointShape['body'],
): FormState {
  return useForm(endpoint, onDone, {
    params,
    schema: schema ?? endpoint.body,
    bodyOf: (fields) => (schema ? (schema.parse(fields) as object) : fields),
  });
}

/**
 * Like {@link useCallForm}, for a call that needs the second factor: without a typed code, the browser asks for a passkey, if the person has one.
 */
export function useProofForm<E extends EndpointShape>(
  endpoint: E,
  onDone: (reply: ReplyOf<E>, form: HTMLFormElement) => void,
  params?: Readonly<Record<string, string>>,
): FormState {
  return useForm(endpoint, onDone, { params, schema: endpoint.body, bodyOf: withPasskey });
}

interface FormOptions {
  params: Readonly<Record<string, string>> | undefined;
  /** Checked before anything is sent. */
  schema: EndpointShape['body'];
  /** Turns the fields into the body of the call. */
  bodyOf: (fields: FormBody) => object | Promise<object>;
}

/** A form that calls an endpoint with a body of its fields. */
export function useForm<E extends EndpointShape>(
  endpoint: E,
  onDone: (reply: ReplyOf<E>, form: HTMLFormElement) => void,
  { params, schema, bodyOf }: FormOptions,
): FormState {
  return useSubmission({
    schema,
    send: async (fields) => {
      const body = await bodyOf(fields);
      return call(endpoint, ...([{ body, ...(params && { params }) }] as unknown as CallArguments<E>));
    },
    onDone,
    refusalOf: (error) => {
      const faults = error instanceof ApiError ? error.fieldErrors : {};
      return { faults, text: Object.keys(faults).length > 0 ? undefined : messageOf(error) };
    },
  });
}
