import { type AccessKey, accessKeyEndpoints } from '@hengfu/contract/access-key';
import { Checkbox } from '@hengfu/ui/controls/checkbox.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import type { DrawnForm } from '@hengfu/ui/form/saved-form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { FieldGrid } from '@hengfu/ui/page/apply-layout.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { accessRequestsOptions } from '../../shared/access/access-requests.api.ts';
import { useCallForm } from '../../shared/forms/use-form.ts';
import { SecondFactorField, useSecondFactor } from '../../shared/payments/second-factor-field.tsx';
import { accessKeyOptions } from './access-key.api.ts';

type Settings = Pick<AccessKey, 'callbackUrl' | 'note' | 'isEnabled' | 'version'>;

/** Returns what can be changed of a key, and the version of it. */
export const settingsOf = ({ callbackUrl, note, isEnabled, version }: AccessKey): Settings => ({
  callbackUrl,
  note,
  isEnabled,
  version,
});

/** Edits the key's callback URL and note, and enables or disables the key. */
export function KeySettings({ from, saved, onEdit, onSend, onSaved }: DrawnForm<Settings>): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const [callbackUrl, setCallbackUrl] = useState(from.callbackUrl ?? '');
  // Another callback URL than the saved one needs the second factor, nothing else does.
  const isElsewhere = callbackUrl !== (saved.callbackUrl ?? '');
  const prove = useSecondFactor();
  const form = useCallForm(
    accessKeyEndpoints.update,
    (reply) => {
      onSaved();
      toast('success', t(reply === '' ? 'profile.saved' : 'approvals.asked'), 'access-key');
      void client.invalidateQueries({ queryKey: accessKeyOptions.queryKey });
      void client.invalidateQueries({ queryKey: accessRequestsOptions.queryKey });
    },
    async (body) => {
      onSend();
      if (isElsewhere) await prove(body);
    },
  );
  return (
    <Section isCard title={t('accessKey.settings')}>
      <Form isWide state={form} onEdit={onEdit} action={t('accessKey.save')}>
        <input type="hidden" name="version" value={from.version} />
        <FieldGrid>
          <TextField
            form={form}
            name="callbackUrl"
            type="url"
            label={t('accessKey.callbackUrl')}
            hint={t('accessKey.callbackHint')}
            defaultValue={from.callbackUrl ?? ''}
            placeholder="https://"
            onInput={({ currentTarget }) => setCallbackUrl(currentTarget.value)}
          />
          <TextField
            form={form}
            name="note"
            label={t('accessKey.note')}
            defaultValue={from.note ?? ''}
            maxLength={255}
          />
        </FieldGrid>
        <Checkbox name="isEnabled" defaultChecked={from.isEnabled}>
          {t('accessKey.isEnabled')}
        </Checkbox>
        {isElsewhere && <SecondFactorField form={form} />}
      </Form>
    </Section>
  );
}
