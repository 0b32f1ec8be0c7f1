import {
  applyTopup,
  type TopupOptions,
  type TopupRow,
  topupCoins,
  topupEndpoints,
} from '@hengfu/contract/topups';
import { CopyButton } from '@hengfu/ui/controls/copy-button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { ImageField } from '@hengfu/ui/form/image-field.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { ApplyLayout, FieldGrid, SubmitSum } from '@hengfu/ui/page/apply-layout.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useMoneyText } from '@hengfu/ui/values/money.tsx';
import { QrCode } from '@hengfu/ui/values/qr-code.tsx';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import { useSentOnce } from '../../shared/forms/use-sent-once.ts';
import { LatestTopups } from './latest-topups.tsx';
import styles from './topup.module.css';
import { TopupSums, TopupWorth } from './topup-sums.tsx';

type Wallet = TopupOptions['wallets'][number];

interface TopupFormProps {
  options: TopupOptions;
  onMade: (topup: TopupRow) => void;
}

/** Shows the wallet to send to, and the form that submits the transfer. */
export function TopupForm({ options, onMade }: TopupFormProps): ReactElement {
  const t = useT();
  const once = useSentOnce();
  const [amount, setAmount] = useState('');
  const [chosen, setChosen] = useState<Wallet>();
  const wallet = options.wallets.find(({ network }) => network === chosen?.network);
  const form = useForm({
    schema: applyTopup,
    send: (body) =>
      once((idempotencyKey) => call(topupEndpoints.apply, { body: applyTopup.parse(body), idempotencyKey })),
    onDone: ({ data }) => {
      toast('success', t('topups.submitted'), 'topups');
      onMade(data);
    },
    inPlace: ['topups_closed', 'uploads_busy', 'payload_too_large'],
  });
  return (
    <ApplyLayout
      form={
        <Section isCard title={t('topups.formTitle')}>
          <Form isWide state={form} action={t('topups.send')}>
            <FieldGrid>
              <SelectField form={form} name="coin" label={t('topups.coin')}>
                <option value="">{t('payouts.choose')}</option>
                {topupCoins.map((coin) => (
                  <option key={coin} value={coin}>
                    {coin}
                  </option>
                ))}
              </SelectField>
              <NetworkField form={form} wallets={options.wallets} wallet={wallet} onChange={setChosen} />
            </FieldGrid>
            <input type="hidden" name="address" value={wallet?.address ?? ''} />
            {chosen && chosen.address !== wallet?.address && (
              <Notice tone="bad">
                {t(wallet ? 'topups.addressChanged' : 'topups.networkClosed', { address: chosen.address })}
              </Notice>
            )}
            {wallet && <WalletCard wallet={wallet} />}
            <TransferFields form={form} onAmount={setAmount} />
            <SubmitSum
              label={t('topups.amount')}
              value={<TopupWorth options={options} amount={amount} currency={options.currency} />}
            />
          </Form>
        </Section>
      }
      aside={<TopupSums options={options} amount={amount} wallet={wallet} />}
      more={<LatestTopups />}
    />
  );
}

interface NetworkFieldProps {
  form: FormState;
  wallets: readonly Wallet[];
  wallet: Wallet | undefined;
  onChange: (wallet: Wallet | undefined) => void;
}

function NetworkField({ form, wallets, wallet, onChange }: NetworkFieldProps): ReactElement {
  const t = useT();
  return (
    <SelectField
      form={form}
      name="network"
      label={t('topups.network')}
      value={wallet?.network ?? ''}
      onChange={({ target }) => onChange(wallets.find(({ network }) => network === target.value))}
    >
      <option value="">{t('payouts.choose')}</option>
      {wallets.map(({ network }) => (
        <option key={network} value={network}>
          {t(`withdrawals.networks.${network}`)}
        </option>
      ))}
    </SelectField>
  );
}

interface TransferFieldsProps {
  form: FormState;
  onAmount: (amount: string) => void;
}

/** The amount that was sent, and its proof. */
function TransferFields({ form, onAmount }: TransferFieldsProps): ReactElement {
  const t = useT();
  return (
    <>
      <FieldGrid>
        <TextField
          form={form}
          name="amount"
          label={t('topups.amountSent')}
          hint={t('topups.amountHint')}
          inputMode="decimal"
          autoComplete="off"
          maxLength={19}
          onInput={({ currentTarget }) => onAmount(currentTarget.value)}
        />
        <TextField
          form={form}
          name="transactionId"
          label={t('topups.transactionId')}
          hint={t('topups.transactionHint')}
          autoComplete="off"
          spellCheck={false}
          maxLength={128}
        />
      </FieldGrid>
      <ImageField
        form={form}
        name="screenshot"
        label={t('topups.screenshot')}
        hint={t('topups.screenshotHint')}
        refusal={t('validation.screenshotRequired')}
      />
    </>
  );
}

/** The wallet on one network. The network is named so that nobody sends on another one. */
function WalletCard({ wallet }: { wallet: Wallet }): ReactElement {
  const t = useT();
  const money = useMoneyText();
  const network = t(`withdrawals.networks.${wallet.network}`);
  return (
    <div className={styles.wallet}>
      <QrCode content={wallet.address} label={t('topups.qr', { network })} />
      <div className={styles.way}>
        <p className={styles.on}>{t('topups.sendOn', { network })}</p>
        <p className={styles.address}>
          <span translate="no">{wallet.address}</span>
          <CopyButton text={wallet.address} name={t('topups.address')} />
        </p>
        <p className={styles.least}>
          {t('withdrawals.minimum', { amount: money(wallet.minimumUsdt, 'USDT') })}
        </p>
        <Notice tone="waiting">{t('topups.sendHint')}</Notice>
      </div>
    </div>
  );
}
