import { type ChannelCode, channelCatalogue, channelCodes } from '@hengfu/contract/channels';
import type { ReplyOf } from '@hengfu/contract/endpoint';
import { refundFees, refundFunds } from '@hengfu/contract/fees';
import type { Currency } from '@hengfu/contract/money';
import { type ChannelTermsInput, channelTermsEndpoints } from '@hengfu/contract/staff/merchant-terms';
import type { staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
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
import { plainAmount } from './plain-amount.ts';

type Preview = ReplyOf<typeof channelTermsEndpoints.preview>['data'];

type Version = ReplyOf<typeof staffMerchantEndpoints.terms>['data']['channels'][number];

interface ChannelTermsProps {
  code: string;
  /** Currency of the merchant's account, and of its channels. */
  currency: Currency;
  /** All versions of the merchant's fees. */
  versions: readonly Version[];
  onClose: () => void;
}

/** Asks for new fees of a channel, and shows what they would have been for yesterday's orders. */
export function ChannelTermsDialog({ code, currency, versions, onClose }: ChannelTermsProps): ReactElement {
  const t = useT();
  // The fields keep their values while the page is read again.
  const [seen] = useState(versions);
  const channels = channelCodes.filter((each) => channelCatalogue[each].currency === currency);
  const [channel, setChannel] = useState<string | undefined>(
    channels.find((each) => seen.some((version) => version.isInForce && version.channel === each)) ??
      channels[0],
  );
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
      seen={{ seenFrom: seen.find((version) => version.channel === channel)?.validFrom ?? null }}
      onClose={onClose}
      extra={
        <Button onClick={({ currentTarget }) => show(currentTarget.form)} aria-disabled={isPending}>
          {t('officeMerchants.preview')}
        </Button>
      }
    >
      {(form) => (
        <>
          <TermsFields
            form={form}
            channels={channels}
            channel={channel}
            current={seen.find((version) => version.isInForce && version.channel === channel)}
            onChannel={setChannel}
          />
          <div aria-live="polite" className={styles.box}>
            {preview && <PreviewTable preview={preview} />}
          </div>
        </>
      )}
    </AskDialog>
  );
}

interface TermsFieldsProps {
  form: FormState;
  channels: readonly ChannelCode[];
  channel: string | undefined;
  /** The fees of the channel in force. */
  current: Version | undefined;
  onChannel: (channel: string) => void;
}

/** The fees of a channel; they begin with those in force, so that a change of one drops no other. */
function TermsFields({ form, channels, channel, current, onChannel }: TermsFieldsProps): ReactElement {
  const t = useT();
  return (
    <div className={styles.pairs}>
      <div className={styles.whole}>
        <SelectField
          form={form}
          name="channel"
          label={t('officeMerchants.channel')}
          value={channel}
          onChange={({ target }) => onChannel(target.value)}
        >
          {channels.map((each) => (
            <option key={each} value={each}>
              {t(`channels.${each}`)}
            </option>
          ))}
        </SelectField>
      </div>
      {(['collection', 'payout'] as const).flatMap((kind) => [
        <TextField
          key={`${channel} ${kind}Rate`}
          form={form}
          name={`${kind}Rate`}
          defaultValue={current && plainAmount(current[`${kind}Rate`])}
          label={t(`officeMerchants.rates.${kind}`)}
          inputMode="decimal"
          autoComplete="off"
        />,
        <TextField
          key={`${channel} ${kind}Fixed`}
          form={form}
          name={`${kind}Fixed`}
          label={t(`officeMerchants.fixed.${kind}`)}
          defaultValue={current ? plainAmount(current[`${kind}Fixed`]) : '0'}
          inputMode="decimal"
          autoComplete="off"
        />,
      ])}
      <SelectField
        key={`${channel} refundFee`}
        form={form}
        name="refundFee"
        label={t('officeMerchants.refundFee')}
        defaultValue={current?.refundFee}
      >
        {refundFees.map((each) => (
          <option key={each} value={each}>
            {t(`officeMerchants.refundFees.${each}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        key={`${channel} refundFunds`}
        form={form}
        name="refundFunds"
        label={t('officeMerchants.refundSource')}
        defaultValue={current?.refundFunds}
      >
        {refundFunds.map((each) => (
          <option key={each} value={each}>
            {t(`officeMerchants.refundFunds.${each}`)}
          </option>
        ))}
      </SelectField>
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
