import { type ReactElement, useState } from 'react';
import { onDemand } from '../browser/on-demand.tsx';
import { Icon } from '../controls/icon.tsx';
import styles from './combobox.module.css';
import type { ComboboxOption } from './combobox-options.ts';
import { readRecent, writeRecent } from './combobox-recent.ts';
import { usePopup } from './use-popup.ts';

interface ComboboxProps {
  /** Of the button, which a `<label>` names. */
  id: string;
  /** Names the choice to screen readers, and is the heading on a phone. */
  label: string;
  options: readonly ComboboxOption[];
  /** The chosen option's value; '' if none is. */
  value: string;
  /** Called with '' if the choice is withdrawn, which needs an option with that value. */
  onChange: (value: string) => void;
  /** Remembers the latest choices in this browser under this name, and offers them first. */
  recentKey?: string;
  /** Shown while nothing is chosen. */
  placeholder: string;
  /** Names the button where no `<label>` does. */
  'aria-label'?: string;
  'data-field'?: string;
  'aria-invalid'?: boolean;
  'aria-describedby'?: string;
  className?: string | undefined;
}

const ComboboxPanel = onDemand(async () => (await import('./overlays.ts')).ComboboxPanel);

/**
 * A choice among many: a button that shows the chosen one, and a list that the user searches by name, code or initials. On a
 * phone the list is a sheet at the bottom of the screen.
 */
export function Combobox(props: ComboboxProps): ReactElement {
  const { id, label, options, value, onChange, recentKey, placeholder, className, ...rest } = props;
  const { isOpen, setOpen, button, buttonProps } = usePopup(ComboboxPanel.prefetch);
  const [recent, setRecent] = useState<readonly string[]>(() => readRecent(recentKey));
  const chosen = options.find((option) => option.value === value);
  return (
    <>
      <button
        type="button"
        id={id}
        {...rest}
        {...buttonProps}
        role="combobox"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-controls={isOpen ? `${id}-panel` : undefined}
        className={`${styles.button} ${className ?? ''}`}
        data-empty={chosen === undefined || value === ''}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || isOpen) return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        <span>{chosen?.label ?? placeholder}</span>
        <Icon name="chevronDown" size={14} />
      </button>
      {isOpen && (
        <ComboboxPanel
          id={`${id}-panel`}
          label={label}
          options={options}
          value={value}
          recent={recent}
          button={button}
          onClose={() => setOpen(false)}
          onChosen={(next) => {
            setOpen(false);
            if (next !== '') setRecent(writeRecent(recentKey, recent, next));
            onChange(next);
          }}
        />
      )}
    </>
  );
}
