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
export function LinesField(props: Own<'textarea'>): ReactElement {
  const [field, rest] = parted(props);
  return <Named {...field}>{(control) => <textarea {...rest} {...control} />}</Named>;
}

/** A field of one line. */
export function TextField(props: Own<'input'>): ReactElement {
  const [field, rest] = parted(props);
  return <Named {...field}>{(control) => <input type="text" {...rest} {...control} />}</Named>;
}

/** A field with a few values; an empty one stands for none. */
export function SelectField(props: Own<'select'>): ReactElement {
  const [field, rest] = parted(props);
  return <Named {...field}>{(control) => <select {...rest} {...control} />}</Named>;
}

type Own<K extends 'input' | 'select' | 'textarea'> = Omit<ComponentProps<K>, 'form' | 'name'> & FieldProps;

/** What belongs to the field as a whole, and what to its control. */
function parted<P extends FieldProps>({ form, name, label, hint, ...rest }: P) {
  return [{ form, name, label, hint }, rest] as const;
}

/** What a control says of itself. */
interface Control {
  id: string;
  name: string;
  'aria-invalid': boolean;
  'aria-describedby': string;
}

interface NamedProps extends FieldProps {
  children: (control: Control) => ReactNode;
}

/** A field between its name and its fault or hint. */
function Named({ form, name, label, hint, children }: NamedProps): ReactElement {
  const id = useId();
  const fault = form.faults[name];
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, name, 'aria-invalid': fault !== undefined, 'aria-describedby': `${id}-text` })}
      <p id={`${id}-text`} className={fault ? styles.fault : styles.hint}>
        {fault ?? hint}
      </p>
    </div>
  );
}
