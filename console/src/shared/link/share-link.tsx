import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { QrCode } from '@hengfu/ui/values/qr-code.tsx';
import type { ReactElement, ReactNode } from 'react';
import { saveFile } from '../../platform/save-file.ts';
import { qrPng, qrSvg } from './qr-file.ts';
import styles from './share-link.module.css';

interface ShareLinkProps {
  url: string;
  /** Names the page behind the link. */
  name: string;
  /** The name of the QR code's files, without an ending. */
  fileName: string;
  /** Further actions. */
  children?: ReactNode;
}

/** A link for payers: to copy, as a QR code on screen and as files, and for the device's share sheet. */
export function ShareLink({ url, name, fileName, children }: ShareLinkProps): ReactElement {
  const t = useT();
  const savePng = async () => {
    const file = await qrPng(url);
    if (file) saveFile(file, `${fileName}.png`);
  };
  return (
    <div className={styles.link}>
      <QrCode content={url} label={t('shareLink.qr', { name })} />
      <div className={styles.ways}>
        <Fields isNarrow fields={[{ label: t('shareLink.link'), value: url, copy: url }]} />
        <div className={styles.buttons}>
          {'share' in navigator && (
            <Button look="primary" onClick={() => void share(name, url)}>
              {t('shareLink.share')}
            </Button>
          )}
          <Button onClick={() => void savePng()}>{t('shareLink.png')}</Button>
          <Button onClick={() => saveFile(qrSvg(url), `${fileName}.svg`)}>{t('shareLink.svg')}</Button>
          {children}
        </div>
      </div>
    </div>
  );
}

/** Opens the share sheet. Closing it without a choice is no failure. */
async function share(title: string, url: string): Promise<void> {
  await navigator.share({ title, url }).catch(() => undefined);
}
