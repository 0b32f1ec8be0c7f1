import { CopyButton } from '@hengfu/ui/controls/copy-button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { QrCode } from '@hengfu/ui/values/qr-code.tsx';
import type { ReactElement } from 'react';
import styles from './two-factor.module.css';

/** Shows a secret for an authenticator app, as a QR code and as text. */
export function SecretView({ url, secretKey }: { url: string; secretKey: string }): ReactElement {
  const t = useT();
  return (
    <div className={styles.secret}>
      <p>{t('twoFactor.scan')}</p>
      <QrCode content={url} label={t('twoFactor.qr')} />
      <p className={styles.key}>
        <span translate="no">{secretKey.match(/.{1,4}/g)?.join(' ')}</span>
        <CopyButton text={secretKey} name={t('twoFactor.secret')} />
      </p>
    </div>
  );
}
