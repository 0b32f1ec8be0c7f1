import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { ToolButton } from '@hengfu/ui/controls/tool-button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type ReactElement, useState } from 'react';
import { boot } from '../../platform/boot.ts';
import { useUser } from '../../platform/session-store.ts';
import styles from './test-switch.module.css';

const TestModeDialog = onDemand(async () => (await import('./test-mode-dialog.tsx')).TestModeDialog);
// The band is there without it.
const TestTitle = onDemand(async () => (await import('./test-title.tsx')).TestTitle, null, null);

/** Opens the dialog of test mode, in the top bar. Not offered where it is not set up; whoever is in it finds the way back. */
export function TestSwitch(): ReactElement | null {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const { mode } = useUser().merchant;
  if (mode === 'live' && boot?.hasTestMode === false) return null;
  return (
    <>
      <ToolButton icon="flask" label={t('testMode.title')} onClick={() => setOpen(true)} />
      {isOpen && <TestModeDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** Says on every page that it is one of test mode. */
export function TestBand(): ReactElement | null {
  const t = useT();
  if (useUser().merchant.mode === 'live') return null;
  return (
    <section className={styles.band} aria-label={t('testMode.title')}>
      <Icon name="alert" size={16} />
      <p className={styles.text}>{t('testMode.band')}</p>
      <TestTitle />
    </section>
  );
}
