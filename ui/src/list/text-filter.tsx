import type { PhraseKey } from '@hengfu/phrases/phrases';
import { type ReactElement, useId, useState } from 'react';
import { Button, IconButton } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { useT } from '../language/i18n.ts';
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

/** A search field in the filter bar. */
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
  return (
    <SearchField
      label={t(filter.label)}
      hint={t(matchHint(filter))}
      prompt={filter.prompt}
      value={value}
      onSearch={(text) => change({ [filter.name]: text || undefined })}
    />
  );
}

interface SearchFieldProps {
  label: string;
  /** Explains what is found, while the field has the focus. */
  hint: string;
  prompt: PhraseKey | undefined;
  value: string;
  /** Called with a text other than `value`, without spaces around it; '' clears the search. */
  onSearch: (text: string) => void;
}

/** A search field. Applies on Enter, blur and paste. Explains itself while focused. */
export function SearchField({ label, hint, prompt, value, onSearch }: SearchFieldProps): ReactElement {
  const t = useT();
  const [draft, setDraft] = useDraft(value);
  const [isPrompted, setPrompted] = useState(false);
  const hintId = useId();
  const promptId = useId();
  const submit = (text: string) => {
    const trimmed = text.trim();
    setPrompted(false);
    if (trimmed !== value) onSearch(trimmed);
  };
  return (
    <div className={styles.inlineField}>
      <form
        className={styles.inline}
        onSubmit={(event) => {
          event.preventDefault();
          submit(draft);
          if (draft.trim() === '' && value === '') setPrompted(prompt !== undefined);
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
          aria-invalid={isPrompted}
          aria-describedby={`${hintId} ${promptId}`}
          placeholder={label}
          maxLength={maxLength}
          value={draft}
          onChange={(event) => {
            setDraft(event.target.value);
            setPrompted(false);
            if (
              event.nativeEvent instanceof InputEvent &&
              event.nativeEvent.inputType === 'insertFromPaste'
            ) {
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
        {hint !== '' && (
          <span id={hintId} className={styles.hint}>
            {hint}
          </span>
        )}
      </form>
      <FilterPrompt id={promptId} prompt={isPrompted ? prompt : undefined} />
    </div>
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
  const [isPrompted, setPrompted] = useState(false);
  const hintId = useId();
  const promptId = useId();
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (filter.prompt && draft.trim() === '' && value === '') return setPrompted(true);
        apply({ [filter.name]: draft.trim() || undefined });
      }}
    >
      <label className={styles.field}>
        {t(filter.label)}
        <input
          type="text"
          autoComplete="off"
          spellCheck={false}
          maxLength={maxLength}
          aria-invalid={isPrompted}
          aria-describedby={`${hintId} ${promptId}`}
          value={draft}
          onChange={(event) => {
            setDraft(event.target.value);
            setPrompted(false);
          }}
        />
      </label>
      <p id={hintId} className={styles.note}>
        {t(matchHint(filter))}
      </p>
      <FilterPrompt id={promptId} prompt={isPrompted ? filter.prompt : undefined} />
      <FormButtons onClear={() => apply({ [filter.name]: undefined })} />
    </form>
  );
}

/** Asks for the value of a filter that was applied empty. */
export function FilterPrompt({
  id,
  prompt,
}: {
  id?: string;
  prompt: PhraseKey | undefined;
}): ReactElement | null {
  const t = useT();
  if (prompt === undefined) return null;
  return (
    <p id={id} role="alert" className={styles.fault}>
      {t(prompt)}
    </p>
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
