import { Button } from '@hengfu/ui/controls/button.tsx';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useEffect, useRef } from 'react';
import { useDocumentTitle } from '../../platform/document-title.ts';
import { useUser } from '../../platform/session-store.ts';
import styles from './switched-away.module.css';

/**
 * Replaces a page whose person has switched to another merchant in another tab: its data is no longer shown, and nothing can be
 * done in it.
 */
export function SwitchedAway() {
  const t = useT();
  const { merchant } = useUser();
  const buttonRef = useRef<HTMLButtonElement>(null);
  useDocumentTitle(t('workplaces.switched'));
  useEffect(() => buttonRef.current?.focus(), []);
  return (
    <main className={styles.page}>
      <Icon name="merchant" size={40} />
      <div role="alert">
        <h1>{t('workplaces.switched')}</h1>
        <p>{t('workplaces.switchedText', { name: merchant.name })}</p>
      </div>
      {/* The start page, since the address may hold something of the former merchant. */}
      <Button ref={buttonRef} look="primary" onClick={() => location.assign('/')}>
        {t('workplaces.reload')}
      </Button>
    </main>
  );
}
