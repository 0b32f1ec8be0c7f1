import { ApiError } from '@hengfu/client/api-error.ts';
import type { CallArguments } from '@hengfu/client/request.ts';
import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import { type FormState, useSubmission } from '@hengfu/ui/form/form-state.ts';
import { messageOf } from '../platform/failures.ts';
import { call } from '../platform/http.ts';

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
  return useSubmission({
    schema: schema ?? endpoint.body,
    send: (fields) => {
      const body = schema ? schema.parse(fields) : fields;
      return call(endpoint, ...([{ body, ...(params && { params }) }] as unknown as CallArguments<E>));
    },
    onDone,
    refusalOf: (error) => {
      const faults = error instanceof ApiError ? error.fieldErrors : {};
      return { faults, text: Object.keys(faults).length > 0 ? undefined : messageOf(error) };
    },
  });
}
