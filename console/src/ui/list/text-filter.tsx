import { type ReactElement, useId, useState } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Button, IconButton } from '../button.tsx';
import { Icon } from '../icon.tsx';
import styles from './filters.module.css';
import type { ChangeSearch, FilterOfKind } from './list-types.ts';

/** Maximum length of the contract's text filters. */
const maxLength = 128;

/** A text field's draft of a value in the address; reset whenever the address changes. */
function useDraft(value: string): [string, (draft: string) => void] {
  const [lastValue, setLastValue] = useState(value);
  const [draft, setDraft] = useState(value);
  if (lastValue !== value) {
    setLastValue(value);
    setDraft(value);
  }
  return [draft, setDraft];
}

/** Explains what a text filter finds. */
function matchHint({ match }: FilterOfKind<'text'>) {
  return match === 'beginning' ? 'ui.findsBeginning' : 'ui.findsExact';
}

/** A search field in the filter bar. Applies on Enter, blur and paste. Explains itself while focused. */
export function InlineTextFilter({
  filter,
  value = '',
  change,
}: {
  filter: FilterOfKind<'text'>;
  value: string | undefined;
  change: ChangeSearch;
}): ReactElement {
  const t = useT();
  const [draft, setDraft] = useDraft(value);
  const label = t(filter.label);
  const hintId = useId();
  const submit = (text: string) => {
    const trimmed = text.trim();
    if (trimmed !== value) change({ [filter.name]: trimmed || undefined });
  };
  return (
    <form
      className={styles.inline}
      onSubmit={(event) => {
        event.preventDefault();
        submit(draft);
      }}
    >
      <Icon name="search" />
      <input
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        aria-describedby={hintId}
        placeholder={label}
        maxLength={maxLength}
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value);
          if (event.nativeEvent instanceof InputEvent && event.nativeEvent.inputType === 'insertFromPaste') {
            submit(event.target.value);
          }
        }}
        onBlur={() => submit(draft)}
      />
      {draft !== '' && (
        <IconButton
          icon="close"
          label={t('ui.clearFilter', { name: label })}
          onClick={() => {
            setDraft('');
            submit('');
          }}
        />
      )}
      <span id={hintId} className={styles.hint}>
        {t(matchHint(filter))}
      </span>
    </form>
  );
}

/** Form of a text filter, opened from its chip. */
export function TextForm({
  filter,
  value = '',
  apply,
}: {
  filter: FilterOfKind<'text'>;
  value: string | undefined;
  apply: ChangeSearch;
}): ReactElement {
  const t = useT();
  const [draft, setDraft] = useDraft(value);
  const hintId = useId();
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        apply({ [filter.name]: draft.trim() || undefined });
      }}
    >
      <label className={styles.field}>
        {t(filter.label)}
        <input
          type="text"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={hintId}
          maxLength={maxLength}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
      </label>
      <p id={hintId} className={styles.note}>
        {t(matchHint(filter))}
      </p>
      <FormButtons onClear={() => apply({ [filter.name]: undefined })} />
    </form>
  );
}

/** "Clear" and "Apply" at the bottom of a filter's form. */
export function FormButtons({ onClear }: { onClear: () => void }): ReactElement {
  const t = useT();
  return (
    <div className={styles.buttons}>
      <Button onClick={onClear}>{t('ui.clear')}</Button>
      <Button type="submit" look="primary">
        {t('ui.apply')}
      </Button>
    </div>
  );
}
