import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import styles from './close-button.module.css';

/** The last line of a dialog that is for reading. */
export function CloseButton({ onClose }: { onClose: () => void }): ReactElement {
  const t = useT();
  return (
    <div className={styles.line}>
      <Button onClick={onClose}>{t('ui.close')}</Button>
    </div>
  );
}
