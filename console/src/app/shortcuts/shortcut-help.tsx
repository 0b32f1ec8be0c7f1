import type { PhraseKey } from '@hengfu/phrases/phrases';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Switch } from '@hengfu/ui/controls/switch.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { setPreference, usePreferences } from '@hengfu/ui/theme/preferences.ts';
import { type ReactElement, useId } from 'react';
import { useUser } from '../../platform/session-store.ts';
import { menu } from '../menu.ts';
import { isPermitted, placeOf, visibleMenu } from '../menu-rules.ts';
import { show } from '../search/search-store.ts';
import { Keys } from './keys.tsx';
import { modifierName } from './modifier.ts';
import styles from './shortcut-help.module.css';
import { actionTitles, creationPathOf, keysOf, singleKeys } from './shortcuts.ts';

/** Lists the shortcuts available to the user, and lets single-key shortcuts be switched off (WCAG 2.1.4). */
export function ShortcutHelp(): ReactElement {
  const t = useT();
  const id = useId();
  const isOn = usePreferences(({ shortcuts }) => shortcuts === 'on');
  const user = useUser();
  const pages = visibleMenu(menu, user).flatMap((group) =>
    group.children.map(({ path, title }) => ({ path, title, group: group.title, keys: keysOf(path) })),
  );
  const singles = Object.entries(singleKeys).filter(([, action]) => {
    const path = creationPathOf(action);
    const page = path && placeOf(menu, path)?.page;
    return page === undefined || isPermitted(page, user);
  });
  return (
    <Dialog title={t('search.help.title')} onClose={() => show(undefined)}>
      <div className={styles.sheet}>
        <Switch
          checked={isOn}
          aria-describedby={`${id}hint`}
          onChange={({ target }) => setPreference('shortcuts', target.checked ? 'on' : 'off')}
        >
          <strong>{t('search.help.on')}</strong>
        </Switch>
        <p id={`${id}hint`} className={styles.hint}>
          {t('search.help.onHint', { keys: `${modifierName} K` })}
        </p>
        <Section title="search.help.everywhere">
          <Line keys={[modifierName, 'K']} text={t('search.help.palette')} />
          {singles.map(([key, action]) => (
            <Line key={key} keys={[key.toUpperCase()]} text={t(actionTitles[action])} isOff={!isOn} />
          ))}
        </Section>
        <Section title="search.help.pages">
          {pages
            .filter(({ keys }) => keys.length > 0)
            .map(({ path, title, group, keys }) => {
              const names = [...new Set([t(title), t(group)])];
              return <Line key={path} keys={keys} text={names.join(' · ')} isOff={!isOn} />;
            })}
        </Section>
      </div>
      <Button onClick={() => show(undefined)}>{t('ui.close')}</Button>
    </Dialog>
  );
}

function Section({ title, children }: { title: PhraseKey; children: React.ReactNode }): ReactElement {
  const t = useT();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles.heading}>
        {t(title)}
      </h3>
      <dl className={styles.lines}>{children}</dl>
    </section>
  );
}

function Line({
  keys,
  text,
  isOff = false,
}: {
  keys: readonly string[];
  text: string;
  isOff?: boolean;
}): ReactElement {
  return (
    <div className={styles.line} data-off={isOff}>
      <dt>{text}</dt>
      <dd>
        <Keys keys={keys} />
      </dd>
    </div>
  );
}
