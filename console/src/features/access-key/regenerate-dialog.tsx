import { accessKeyEndpoints, keyOverlapHours } from '@hengfu/contract/access-key';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { RadioGroup } from '@hengfu/ui/controls/radio.tsx';
import { Form } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement } from 'react';
import { useCallForm } from '../../shared/forms/use-form.ts';
import { SecondFactorField, useSecondFactor } from '../../shared/payments/second-factor-field.tsx';
import type { ShownKey } from './access-key.api.ts';

/** Creates a key. If it replaces another one, asks how long the old key stays valid. */
export function RegenerateDialog({
  isFirst,
  needsApproval,
  onMade,
  onAsked,
  onClose,
}: {
  isFirst: boolean;
  needsApproval: boolean;
  onMade: (key: ShownKey) => void;
  /** The key is made once it is approved. */
  onAsked: () => void;
  onClose: () => void;
}): ReactElement {
  const t = useT();
  const form = useCallForm(
    accessKeyEndpoints.regenerate,
    ({ data }) => ('request_no' in data ? onAsked() : onMade(data)),
    useSecondFactor(),
  );
  return (
    <Dialog title={t(isFirst ? 'accessKey.firstTitle' : 'accessKey.regenerateTitle')} onClose={onClose}>
      <Form
        state={form}
        action={
          needsApproval ? t('approvals.access.ask') : t(isFirst ? 'accessKey.make' : 'accessKey.regenerate')
        }
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        {needsApproval && <Notice tone="calm">{t('approvals.access.asksForKey')}</Notice>}
        {isFirst ? (
          <>
            <p>{t('accessKey.firstText')}</p>
            {/* An hour, in case someone else has created a key since the page was loaded. */}
            <input type="hidden" name="overlapHours" value={1} />
          </>
        ) : (
          <RadioGroup
            name="overlapHours"
            label={t('accessKey.overlap')}
            choices={keyOverlapHours.map((hours) => ({
              value: String(hours),
              label: hours === 0 ? t('accessKey.overlapNone') : t('accessKey.overlapHours', { count: hours }),
            }))}
            defaultValue="1"
          />
        )}
        <SecondFactorField form={form} />
      </Form>
    </Dialog>
  );
}
