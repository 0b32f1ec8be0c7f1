import { channelCodes } from '@hengfu/contract/channels';
import type { ReplyOf } from '@hengfu/contract/endpoint';
import { type ChannelTermsInput, channelTermsEndpoints } from '@hengfu/contract/staff/merchant-terms';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { type ReactElement, useState } from 'react';
import { reactToFailure } from '../../../platform/failures.ts';
import { call } from '../../../platform/http.ts';
import table from '../../../shared/table.module.css';
import { TableBox } from '../../../shared/table-box.tsx';
import { AskDialog } from '../ask-dialog.tsx';
import styles from '../merchants.module.css';

type Preview = ReplyOf<typeof channelTermsEndpoints.preview>['data'];

/** Asks for new fees of a channel, and shows what they would have been for yesterday's orders. */
export function ChannelTermsDialog({ code, onClose }: { code: string; onClose: () => void }): ReactElement {
  const t = useT();
  const [preview, setPreview] = useState<Preview>();
  const { mutate, isPending } = useAction({
    mutationFn: (query: ChannelTermsInput) =>
      call(channelTermsEndpoints.preview, { params: { code }, query }),
    onSuccess: ({ data }) => setPreview(data),
    onError: reactToFailure,
  });
  const show = (form: HTMLFormElement | null) => {
    if (!form) return;
    const { reason: _, ...terms } = Object.fromEntries(new FormData(form));
    mutate(terms as ChannelTermsInput);
  };
  return (
    <AskDialog
      endpoint={channelTermsEndpoints.ask}
      code={code}
      title={t('officeMerchants.newFees')}
      text={t('officeMerchants.newFeesText')}
      onClose={onClose}
      extra={
        <Button onClick={({ currentTarget }) => show(currentTarget.form)} aria-disabled={isPending}>
          {t('officeMerchants.preview')}
        </Button>
      }
    >
      {(form) => (
        <>
          <TermsFields form={form} />
          <div aria-live="polite" className={styles.box}>
            {preview && <PreviewTable preview={preview} />}
          </div>
        </>
      )}
    </AskDialog>
  );
}

function TermsFields({ form }: { form: FormState }): ReactElement {
  const t = useT();
  return (
    <div className={styles.pairs}>
      <div className={styles.whole}>
        <SelectField form={form} name="channel" label={t('officeMerchants.channel')}>
          {channelCodes.map((channel) => (
            <option key={channel} value={channel}>
              {t(`channels.${channel}`)}
            </option>
          ))}
        </SelectField>
      </div>
      {(['collection', 'payout'] as const).flatMap((kind) => [
        <TextField
          key={`${kind}Rate`}
          form={form}
          name={`${kind}Rate`}
          label={t(`officeMerchants.rates.${kind}`)}
          inputMode="decimal"
          autoComplete="off"
        />,
        <TextField
          key={`${kind}Fixed`}
          form={form}
          name={`${kind}Fixed`}
          label={t(`officeMerchants.fixed.${kind}`)}
          defaultValue="0"
          inputMode="decimal"
          autoComplete="off"
        />,
      ])}
    </div>
  );
}

function PreviewTable({ preview: { day, currency, orders } }: { preview: Preview }): ReactElement {
  const t = useT();
  return (
    <>
      <p className={table.note}>{t('officeMerchants.previewText', { day })}</p>
      <TableBox label={t('officeMerchants.preview')}>
        <thead>
          <tr>
            <th>{t('officeMerchants.orders')}</th>
            <th data-number>{t('officeMerchants.count')}</th>
            <th data-number>{t('officeMerchants.amount')}</th>
            <th data-number>{t('officeMerchants.was')}</th>
            <th data-number>{t('officeMerchants.would')}</th>
          </tr>
        </thead>
        <tbody>
          {orders.map(({ kind, count, amount, was, would }) => (
            <tr key={kind}>
              <td>{t(`officeMerchants.kinds.${kind}`)}</td>
              <td data-number>
                <Count of={count} />
              </td>
              {[amount, was, would].map((value, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change
                <td key={index} data-number>
                  <Money amount={value} currency={currency} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </TableBox>
    </>
  );
}
