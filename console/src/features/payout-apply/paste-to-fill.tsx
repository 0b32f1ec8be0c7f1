import type { ChannelCode } from '@hengfu/contract/channels';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { type FormEvent, type ReactElement, useState } from 'react';
import { isDamagedCode, type PastedFields, readPasted } from './paste.rules.ts';
import styles from './payout-form.module.css';

interface PasteToFillProps {
  channel: ChannelCode;
  onFilled: (found: PastedFields) => void;
}

/** Fills the form from a pasted message or payment code. */
export function PasteToFill({ channel, onFilled }: PasteToFillProps): ReactElement {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<'pasteNothing' | 'pasteDamaged'>();
  const close = () => {
    setOpen(false);
    setProblem(undefined);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('text') ?? '');
    const found = readPasted(text, channel);
    if (Object.keys(found).length === 0)
      return setProblem(isDamagedCode(text) ? 'pasteDamaged' : 'pasteNothing');
    onFilled(found);
    close();
  };
  return (
    <>
      <Button icon="copy" onClick={() => setOpen(true)}>
        {t('payouts.paste')}
      </Button>
      {isOpen && (
        <Dialog title={t('payouts.pasteTitle')} onClose={close}>
          <form className={styles.paste} onSubmit={submit}>
            <label htmlFor="pasted">{t('payouts.pasteHint')}</label>
            <textarea id="pasted" name="text" spellCheck={false} autoComplete="off" />
            {problem && <Notice tone="bad">{t(`payouts.${problem}`)}</Notice>}
            <div className={styles.buttons}>
              <Button type="submit" look="primary">
                {t('payouts.pasteFill')}
              </Button>
              <Button onClick={close}>{t('profile.cancel')}</Button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}
