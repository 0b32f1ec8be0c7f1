import { Combobox } from '@base-ui/react/combobox';
import { type ReactElement, type RefObject, useState } from 'react';
import { Icon } from '../controls/icon.tsx';
import { useNarrow } from '../controls/use-narrow.ts';
import { useT } from '../language/i18n.ts';
import styles from './combobox.module.css';
import { type ComboboxOption, groupOptions, type OptionGroup } from './combobox-options.ts';
import { PopoverBox } from './popover-box.tsx';
import { Sheet } from './sheet.tsx';

interface ComboboxPanelProps {
  id: string;
  label: string;
  options: readonly ComboboxOption[];
  value: string;
  recent: readonly string[];
  button: RefObject<HTMLButtonElement | null>;
  onChosen: (value: string) => void;
  onClose: () => void;
}

/** The open list of a combobox: a box below its button, or a sheet on a phone. */
export function ComboboxPanel({ id, label, button, onClose, ...list }: ComboboxPanelProps): ReactElement {
  const isNarrow = useNarrow();
  const search = <OptionSearch label={label} {...list} />;
  if (!isNarrow)
    return (
      <PopoverBox id={id} label={label} button={button} onClose={onClose}>
        {search}
      </PopoverBox>
    );
  return (
    <Sheet id={id} title={label} onClose={onClose}>
      <div className={styles.onSheet}>{search}</div>
    </Sheet>
  );
}

type OptionSearchProps = Pick<ComboboxPanelProps, 'label' | 'options' | 'value' | 'recent' | 'onChosen'>;

function OptionSearch({ label, options, value, recent, onChosen }: OptionSearchProps): ReactElement {
  const t = useT();
  const [text, setText] = useState('');
  const groups = groupOptions(options, recent, text, {
    recent: t('ui.recentChoices'),
    all: t('ui.allChoices'),
  });
  return (
    <Combobox.Root<ComboboxOption>
      inline
      open
      autoHighlight
      items={groups}
      // The search is ours; the groups hold what it found.
      filter={null}
      value={options.find((option) => option.value === value) ?? null}
      onValueChange={(option) => option && onChosen(option.value)}
      inputValue={text}
      onInputValueChange={(typed, { reason }) => {
        if (reason === 'input-change') setText(typed);
      }}
    >
      <div className={styles.search}>
        <Icon name="search" />
        <Combobox.Input
          aria-label={t('ui.searchIn', { label })}
          placeholder={t('ui.search')}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <Combobox.Empty className={styles.nothing}>
        {groups.length === 0 ? t('ui.nothingFound') : null}
      </Combobox.Empty>
      <Combobox.List className={styles.list} aria-label={label}>
        {(group: OptionGroup) => (
          <Combobox.Group key={group.heading} items={group.items}>
            {group.heading !== '' && (
              <Combobox.GroupLabel className={styles.groupLabel}>{group.heading}</Combobox.GroupLabel>
            )}
            <Combobox.Collection>
              {(option: ComboboxOption) => (
                <Combobox.Item key={option.value} value={option} className={styles.option}>
                  {option.label}
                  {option.value === value && <Icon name="check" size={16} />}
                </Combobox.Item>
              )}
            </Combobox.Collection>
          </Combobox.Group>
        )}
      </Combobox.List>
    </Combobox.Root>
  );
}
