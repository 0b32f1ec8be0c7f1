import { type ComponentProps, type ReactElement, type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import styles from './form.module.css';
import { Notice } from './notice.tsx';
import type { FormState } from './use-form.ts';

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
    <form
      className={styles.form}
      noValidate
      aria-busy={state.isBusy}
      onSubmit={state.submit}
      onInput={({ target }) => {
        if (target instanceof Element) state.forget(target.getAttribute('name') ?? '');
      }}
    >
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
