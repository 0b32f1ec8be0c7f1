import { type ReactElement, useState } from 'react';
import { Checkbox } from '../controls/checkbox.tsx';
import { Radio } from '../controls/radio.tsx';
import { useT } from '../language/i18n.ts';
import styles from './filters.module.css';
import { choicesOf, choiceText } from './list-search.ts';
import type { ChangeSearch, FilterOfKind } from './list-types.ts';
import { FilterPrompt, FormButtons } from './text-filter.tsx';

/** Above this many options, a text field filters them. */
const maxWithoutSearch = 12;

/** Form of a choice filter: radio buttons or checkboxes. */
export function ChoiceForm({
  filter,
  value,
  apply,
}: {
  filter: FilterOfKind<'choice'>;
  value: string | undefined;
  apply: ChangeSearch;
}): ReactElement {
  const t = useT();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(choicesOf(value)));
  const [isPrompted, setPrompted] = useState(false);
  const [searchText, setSearchText] = useState('');
  const options = filter.options
    .map((option) => ({ ...option, text: option.text ?? t(option.label) }))
    .filter(({ text }) => text.toLowerCase().includes(searchText.trim().toLowerCase()));
  const Choice = filter.isSingle ? Radio : Checkbox;
  const toggle = (option: string) => {
    setPrompted(false);
    if (filter.isSingle) setChosen(new Set([option]));
    else
      setChosen(
        chosen.has(option)
          ? new Set([...chosen].filter((other) => other !== option))
          : new Set([...chosen, option]),
      );
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (filter.prompt && chosen.size === 0 && value === undefined) return setPrompted(true);
        const offered = filter.options.map((option) => option.value);
        apply({ [filter.name]: choiceText(chosen, offered) });
      }}
    >
      {filter.options.length > maxWithoutSearch && (
        <label className={styles.field}>
          {t('ui.search')}
          <input type="text" value={searchText} onChange={(event) => setSearchText(event.target.value)} />
        </label>
      )}
      <fieldset className={styles.choices}>
        <legend className="visually-hidden">{t(filter.label)}</legend>
        {options.map((option) => (
          <Choice
            key={option.value}
            name={filter.name}
            checked={chosen.has(option.value)}
            onChange={() => toggle(option.value)}
          >
            {option.text}
          </Choice>
        ))}
      </fieldset>
      <FilterPrompt prompt={isPrompted ? filter.prompt : undefined} />
      <FormButtons onClear={() => apply({ [filter.name]: undefined })} />
    </form>
  );
}
