import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import { useMutation } from '@tanstack/react-query';
import {
  type ComponentProps,
  type FormEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useState,
} from 'react';
import { ApiError } from '../platform/api-error.ts';
import { messageOf } from '../platform/failures.ts';
import { type CallArguments, call } from '../platform/http.ts';
import { translateIssue } from '../platform/i18n.ts';
import { Button } from './button.tsx';
import styles from './form.module.css';
import { Notice } from './notice.tsx';

/** What a form's fields and button need to know. */
export interface FormState {
  /** What is wrong, by the name of the field. */
  faults: Readonly<Record<string, string>>;
  /** Why the whole was refused. */
  refusal: string | undefined;
  isBusy: boolean;
  submit: (event: FormEvent<HTMLFormElement>) => void;
}

/** What a form shows by itself, beside its fields. */
const shownHere = [
  'validation_failed',
  'too_many_attempts',
  'conflict',
  'password_confirmation_required',
] as const;

/**
 * A form over a call: its fields bear the names of the call's body (or query), are checked by the contract before anything is sent
 * and by the server after, and show what is wrong themselves. `before` is done when the
 * fields are right and before they are sent.
 */
export function useCallForm<E extends EndpointShape>(
  endpoint: E,
  onDone: (reply: ReplyOf<E>, form: HTMLFormElement) => void,
  before: (body: Readonly<Record<string, unknown>>) => Promise<void> = async () => {},
): FormState {
  const [faults, setFaults] = useState<Record<string, string>>({});
  const mutation = useMutation({
    mutationFn: async ({ body }: { body: Record<string, unknown>; form: HTMLFormElement }) => {
      await before(body);
      // What only reads has its fields in the query.
      return call(endpoint, ...([endpoint.body ? { body } : { query: body }] as unknown as CallArguments<E>));
    },
    meta: { inPlace: shownHere },
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
    const checked = (endpoint.body ?? endpoint.query)?.safeParse(body);
    const issues = checked?.error?.issues.map(
      ({ path, message }) => [String(path[0]), translateIssue(message)] as const,
    );
    show(Object.fromEntries(issues?.toReversed() ?? []), form);
    if (!issues) mutation.mutate({ body, form });
  };
  const { error } = mutation;
  const isWhole = error instanceof ApiError && Object.keys(error.fieldErrors).length === 0;
  const isSilent = isWhole && error.code === 'password_confirmation_required';
  return {
    faults,
    refusal: isWhole && !isSilent ? messageOf(error) : undefined,
    isBusy: mutation.isPending,
    submit,
  };
}

interface FormProps {
  state: FormState;
  /** What the button says. */
  action: string;
  /** Beside the button. */
  extra?: ReactNode;
  children: ReactNode;
}

/** The fields of a call's form, what was said of the whole, and its button. */
export function Form({ state, action, extra, children }: FormProps): ReactElement {
  return (
    <form className={styles.form} noValidate aria-busy={state.isBusy} onSubmit={state.submit}>
      {children}
      {state.refusal && <Notice tone="bad">{state.refusal}</Notice>}
      <div className={styles.buttons}>
        <Button type="submit" look="primary" aria-disabled={state.isBusy}>
          {action}
        </Button>
        {extra}
      </div>
    </form>
  );
}

interface FieldProps {
  form: FormState;
  /** As the call's body names it. */
  name: string;
  label: string;
  hint?: string | undefined;
}

/** A field of several lines. */
export function LinesField({
  form,
  name,
  label,
  hint,
  ...rest
}: Omit<ComponentProps<'textarea'>, 'form' | 'name'> & FieldProps): ReactElement {
  const id = useId();
  return (
    <Named form={form} name={name} label={label} hint={hint} id={id}>
      <textarea
        {...rest}
        id={id}
        name={name}
        aria-invalid={form.faults[name] !== undefined}
        aria-describedby={`${id}-text`}
      />
    </Named>
  );
}

/** A field of one line. */
export function TextField({
  form,
  name,
  label,
  hint,
  ...rest
}: Omit<ComponentProps<'input'>, 'form' | 'name'> & FieldProps): ReactElement {
  const id = useId();
  return (
    <Named form={form} name={name} label={label} hint={hint} id={id}>
      <input
        type="text"
        {...rest}
        id={id}
        name={name}
        aria-invalid={form.faults[name] !== undefined}
        aria-describedby={`${id}-text`}
      />
    </Named>
  );
}

/** A field with a few values; an empty one stands for none. */
export function SelectField({
  form,
  name,
  label,
  hint,
  ...rest
}: Omit<ComponentProps<'select'>, 'form' | 'name'> & FieldProps): ReactElement {
  const id = useId();
  return (
    <Named form={form} name={name} label={label} hint={hint} id={id}>
      <select
        {...rest}
        id={id}
        name={name}
        aria-invalid={form.faults[name] !== undefined}
        aria-describedby={`${id}-text`}
      />
    </Named>
  );
}

/** A field between its name and its fault or hint. */
function Named({
  form,
  name,
  label,
  hint,
  id,
  children,
}: FieldProps & { id: string; children: ReactNode }): ReactElement {
  const fault = form.faults[name];
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children}
      <p id={`${id}-text`} className={fault ? styles.fault : styles.hint}>
        {fault ?? hint}
      </p>
    </div>
  );
}
