import {
  type ComponentProps,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Button } from '../controls/button.tsx';
import { Notice } from '../controls/notice.tsx';
import { Select } from '../controls/select.tsx';
import { useT } from '../language/i18n.ts';
import { Combobox } from '../overlays/combobox.tsx';
import type { ComboboxOption } from '../overlays/combobox-options.ts';
import { fillField } from './fill-field.ts';
import styles from './form.module.css';
import type { FormState } from './form-state.ts';

interface FormProps {
  state: FormState;
  /** Label of the submit button. */
  action: string;
  /** The look of that button; an outline for an action that is rarely meant. */
  look?: 'primary' | 'danger' | 'outline';
  /** Further elements beside the button. */
  extra?: ReactNode;
  /** True: as wide as its card, for fields in a `FieldGrid`. */
  isWide?: boolean;
  /** Called when a field is edited. */
  onEdit?: () => void;
  children: ReactNode;
}

/** A form: its fields, the error of the form as a whole, and the submit button. */
export function Form({
  state,
  action,
  look = 'primary',
  extra,
  isWide = false,
  onEdit,
  children,
}: FormProps): ReactElement {
  const t = useT();
  return (
    <form
      className={styles.form}
      data-wide={isWide}
      noValidate
      aria-busy={state.isBusy}
      onSubmit={state.submit}
      onInput={({ target }) => {
        onEdit?.();
        if (target instanceof Element) state.forget(target.getAttribute('name') ?? '');
      }}
    >
      {state.isIncomplete && <Notice tone="bad">{t('errors.validation_failed')}</Notice>}
      {children}
      {state.refusal && <Notice tone="bad">{state.refusal}</Notice>}
      <div className={styles.buttons}>
        <Button type="submit" look={look} aria-disabled={state.isBusy}>
          {action}
        </Button>
        {extra}
      </div>
    </form>
  );
}

interface FieldProps {
  form: FormState;
  /** Field name in the call's body. */
  name: string;
  label: string;
  hint?: string | undefined;
}

/** A multi-line text field. */
export function LinesField(props: ControlProps<'textarea'>): ReactElement {
  const [field, rest] = splitProps(props);
  return <LabeledField {...field}>{(control) => <textarea {...rest} {...control} />}</LabeledField>;
}

/** A single-line text field. */
export function TextField(props: ControlProps<'input'>): ReactElement {
  const [field, rest] = splitProps(props);
  return <LabeledField {...field}>{(control) => <input type="text" {...rest} {...control} />}</LabeledField>;
}

/** A drop-down field; the empty value means none. */
export function SelectField(props: ControlProps<'select'>): ReactElement {
  const [field, rest] = splitProps(props);
  return (
    <LabeledField {...field}>{(control) => <Select look="field" {...rest} {...control} />}</LabeledField>
  );
}

interface ComboboxFieldProps extends FieldProps {
  options: readonly ComboboxOption[];
  defaultValue: string;
  placeholder: string;
  recentKey?: string;
  /** Called with the chosen value and the form. */
  onChosen?: (value: string, form: HTMLFormElement | null) => void;
}

/** A choice among many, which the user searches; the empty value means none. */
export function ComboboxField(props: ComboboxFieldProps): ReactElement {
  const { form, name, label, hint, options, defaultValue, placeholder, recentKey, onChosen } = props;
  const [value, setValue] = useState(defaultValue);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const field = input.current;
    const form = field?.form;
    const show = () => setValue(field?.value ?? '');
    const reset = () => {
      if (field) field.value = defaultValue;
      show();
    };
    field?.addEventListener('change', show);
    form?.addEventListener('reset', reset);
    return () => {
      field?.removeEventListener('change', show);
      form?.removeEventListener('reset', reset);
    };
  }, [defaultValue]);
  return (
    <LabeledField form={form} name={name} label={label} hint={hint}>
      {({ name: _name, ...control }) => (
        <>
          {/* Directly before its button, which gets the focus in its place (check-fields.ts). */}
          <input ref={input} type="hidden" name={name} value={value} />
          <Combobox
            {...control}
            label={label}
            options={options}
            value={value}
            placeholder={placeholder}
            {...(recentKey !== undefined && { recentKey })}
            onChange={(chosen) => {
              fillField(input.current, chosen);
              form.forget(name);
              onChosen?.(chosen, input.current?.form ?? null);
            }}
          />
        </>
      )}
    </LabeledField>
  );
}

type ControlProps<K extends 'input' | 'select' | 'textarea'> = Omit<ComponentProps<K>, 'form' | 'name'> &
  FieldProps;

/** Separates the props of the field from those of its control. */
function splitProps<P extends FieldProps>({ form, name, label, hint, ...rest }: P) {
  return [{ form, name, label, hint }, rest] as const;
}

/** The attributes that tie a control to its label and error. */
interface ControlAttributes {
  id: string;
  name: string;
  'aria-invalid': boolean;
  'aria-describedby': string;
}

interface LabeledFieldProps extends FieldProps {
  children: (control: ControlAttributes) => ReactNode;
}

/** A control with its label, and its error or hint. */
function LabeledField({ form, name, label, hint, children }: LabeledFieldProps): ReactElement {
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
