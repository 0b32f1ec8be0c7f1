import { useT } from '../../platform/i18n.ts';
import { useConnection } from '../../platform/live.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './connection-banner.module.css';

/** Says that the page no longer follows what happens. The box stands empty before, so that the change is read out. */
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
