import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useConnection } from '../../platform/live.ts';
import styles from './connection-banner.module.css';

/** Warns that live updates have stopped. Its box is always rendered, so that screen readers announce it. */
export function ConnectionBanner() {
  const t = useT();
  const isLost = useConnection() === 'lost';
  return (
    <div role="status">
      {isLost && (
        <p className={styles.banner}>
          <Icon name="alert" size={18} />
          <span>
            <strong>{t('shell.connectionLost')}</strong> {t('shell.connectionLostHint')}
          </span>
        </p>
      )}
    </div>
  );
}
