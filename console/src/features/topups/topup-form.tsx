import {
  applyTopup,
  type TopupOptions,
  type TopupRow,
  topupCoins,
  topupEndpoints,
} from '@hengfu/contract/topups';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useT } from '../../platform/i18n.ts';
import { newIdempotencyKey } from '../../platform/new-key.ts';
import { toast } from '../../platform/toast.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Form, SelectField, TextField } from '../../ui/form.tsx';
import { ImageField } from '../../ui/image-field.tsx';
import { useMoneyText } from '../../ui/money.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Section } from '../../ui/section.tsx';
import { SideBySide } from '../../ui/sums.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './topup.module.css';
import { TopupSums } from './topup-sums.tsx';

type Wallet = TopupOptions['wallets'][number];

interface TopupFormProps {
  options: TopupOptions;
  onMade: (topup: TopupRow) => void;
}

/** Shows the wallet to send to, and the form that submits the transfer. */
export function TopupForm({ options, onMade }: TopupFormProps): ReactElement {
  const t = useT();
  // One idempotency key per form, so that a form sent twice is submitted once.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const [amount, setAmount] = useState('');
  const [wallet, setWallet] = useState<Wallet>();
  const form = useForm({
    schema: applyTopup,
    send: (body) => call(topupEndpoints.apply, { body: applyTopup.parse(body), idempotencyKey }),
    onDone: ({ data }) => {
      toast('success', t('topups.submitted'), 'topups');
      onMade(data);
    },
    inPlace: ['topups_closed', 'uploads_busy', 'idempotency_in_flight', 'payload_too_large'],
  });
  return (
    <SideBySide>
      <Section isCard title={t('topups.formTitle')}>
        <Form state={form} action={t('topups.send')}>
          <SelectField form={form} name="coin" label={t('topups.coin')}>
            <option value="">{t('payouts.choose')}</option>
            {topupCoins.map((coin) => (
              <option key={coin} value={coin}>
                {coin}
              </option>
            ))}
          </SelectField>
          <SelectField
            form={form}
            name="network"
            label={t('topups.network')}
            value={wallet?.network ?? ''}
            onChange={({ target }) =>
              setWallet(options.wallets.find(({ network }) => network === target.value))
            }
          >
            <option value="">{t('payouts.choose')}</option>
            {options.wallets.map(({ network }) => (
              <option key={network} value={network}>
                {t(`withdrawals.networks.${network}`)}
              </option>
            ))}
          </SelectField>
          <input type="hidden" name="address" value={wallet?.address ?? ''} />
          {wallet && <WalletCard wallet={wallet} />}
          <TextField
            form={form}
            name="amount"
            label={t('topups.amountSent')}
            hint={t('topups.amountHint')}
            inputMode="decimal"
            autoComplete="off"
            maxLength={19}
            onInput={({ currentTarget }) => setAmount(currentTarget.value)}
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
          <ImageField
            form={form}
            name="screenshot"
            label={t('topups.screenshot')}
            hint={t('topups.screenshotHint')}
            refusal={t('validation.screenshotRequired')}
          />
        </Form>
      </Section>
      <TopupSums options={options} amount={amount} />
    </SideBySide>
  );
}

/** The wallet on one network. The network is named so that nobody sends on another one. */
function WalletCard({ wallet }: { wallet: Wallet }): ReactElement {
  const t = useT();
  const money = useMoneyText();
  const network = t(`withdrawals.networks.${wallet.network}`);
  return (
    <div className={styles.wallet}>
      <p className={styles.on}>{t('topups.sendOn', { network })}</p>
      <QrCode content={wallet.address} label={t('topups.qr', { network })} />
      <p className={styles.address}>
        <span translate="no">{wallet.address}</span>
        <CopyButton text={wallet.address} name={t('topups.address')} />
      </p>
      <p className={styles.least}>
        {t('withdrawals.minimum', { amount: money(wallet.minimumUsdt, 'USDT') })}
      </p>
      <Notice tone="waiting">{t('topups.sendHint')}</Notice>
    </div>
  );
}
