import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { usePreferences } from '@hengfu/ui/theme/preferences.ts';
import { type MouseEvent, type ReactElement, useEffect } from 'react';
import { Keys } from '../shortcuts/keys.tsx';
import type { Entry } from './entries.ts';
import styles from './palette.module.css';
import type { Group } from './use-groups.tsx';

interface PaletteListProps {
  id: string;
  groups: readonly Group[];
  /** The highlighted row, which Enter chooses. */
  active: Entry | undefined;
  optionId: (entry: Entry) => string;
  onPoint: (entry: Entry) => void;
  onChoose: (entry: Entry, isInNewTab: boolean) => void;
}

/** The rows under their headings. Focus stays in the search field, which names the active row by its id. */
export function PaletteList(props: PaletteListProps): ReactElement {
  const { id, groups, active, optionId, onPoint, onChoose } = props;
  const t = useT();
  const activeId = active && optionId(active);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  const choose = (entry: Entry) => (event: MouseEvent) => {
    const isMiddle = event.button === 1;
    if (event.button === 0 || isMiddle) onChoose(entry, isMiddle || event.ctrlKey || event.metaKey);
  };
  return (
    <div id={id} role="listbox" aria-label={t('search.results')} className={styles.list}>
      {groups.map(({ title, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options is not a fieldset.
        <div key={title} role="group" aria-labelledby={`${id}${title}`}>
          <p id={`${id}${title}`} className={styles.heading} role="presentation">
            {t(title)}
          </p>
          {entries.map((entry) => (
            // biome-ignore lint/a11y: focus stays in the search field, whose keys move among the options.
            <div
              key={entry.id}
              id={optionId(entry)}
              role="option"
              aria-selected={entry === active}
              className={styles.option}
              onMouseMove={() => entry !== active && onPoint(entry)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={choose(entry)}
              onAuxClick={choose(entry)}
            >
              <Row entry={entry} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function Row({ entry: { icon, title, hint, detail, keys = [] } }: { entry: Entry }): ReactElement {
  const hasShortcuts = usePreferences(({ shortcuts }) => shortcuts === 'on');
  return (
    <>
      <Icon name={icon} size={18} />
      <span className={styles.text}>
        <span className={styles.title}>{title}</span>
        {hint && <span className={styles.hint}>{hint}</span>}
      </span>
      {detail && <span className={styles.detail}>{detail}</span>}
      {hasShortcuts && keys.length > 0 && <Keys keys={keys} />}
    </>
  );
}
