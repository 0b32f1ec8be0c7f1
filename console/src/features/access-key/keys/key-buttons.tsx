import { type AccessKeyRow, accessKeysEndpoints } from '@hengfu/contract/access-keys';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { call } from '../../../platform/http.ts';
import { useUser } from '../../../platform/session-store.ts';
import styles from './keys.module.css';

/** The tasks of one key that have a dialog. */
export type KeyTask = 'reveal' | 'edit' | 'succeed' | 'end';

interface KeyButtonsProps {
  of: AccessKeyRow;
  /** A change waits for approval: only what narrows can be done meanwhile. */
  isHeld: boolean;
  onChoose: (task: KeyTask) => void;
  onTurned: (reply: '' | { data: { request_no: string } }) => void;
}

/** The actions of a key. Turning it off and ending it need no second factor. */
export function KeyButtons({ of, isHeld, onChoose, onTurned }: KeyButtonsProps): ReactElement {
  const t = useT();
  const hasFactor = useUser().twoFactor === 'on';
  const isOn = of.state === 'active';
  const isReplaced = of.successor !== null;
  const turn = useAction({
    mutationFn: () => call(accessKeysEndpoints.turn, { params: { key_id: of.keyId }, body: { isOn: !isOn } }),
    onSuccess: (reply) => {
      if (reply === '')
        toast('success', t(isOn ? 'accessKeys.turnedOff' : 'accessKeys.turnedOn'), 'access-keys');
      onTurned(reply);
    },
  });
  return (
    <div className={styles.buttons}>
      {hasFactor && <Button onClick={() => onChoose('reveal')}>{t('accessKey.reveal')}</Button>}
      {hasFactor && !isReplaced && <Button onClick={() => onChoose('edit')}>{t('accessKeys.edit')}</Button>}
      {hasFactor && !isReplaced && !isHeld && (
        <Button onClick={() => onChoose('succeed')}>{t('accessKeys.replace')}</Button>
      )}
      {(isOn || !(isHeld || isReplaced)) && (
        <Button aria-disabled={turn.isPending} onClick={() => turn.mutate()}>
          {t(isOn ? 'accessKeys.turnOff' : 'accessKeys.turnOn')}
        </Button>
      )}
      <Button onClick={() => onChoose('end')}>{t('accessKeys.end')}</Button>
    </div>
  );
}
