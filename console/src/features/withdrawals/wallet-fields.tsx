import { looksLike, type Network, networkCodes } from '@hengfu/contract/wallets';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, Ref } from 'react';
import styles from './withdrawal-form.module.css';
import { addressesOptions } from './withdrawals.api.ts';

/** Network and address as typed; '' if not yet. */
export interface TypedWallet {
  network: Network | '';
  address: string;
}

interface WalletFieldsProps {
  /** The address field. */
  ref: Ref<HTMLInputElement>;
  form: FormState;
  wallet: TypedWallet;
  onChange: (wallet: TypedWallet) => void;
}

/** The wallet to withdraw to. */
export function WalletFields({ ref, form, wallet, onChange }: WalletFieldsProps): ReactElement {
  const t = useT();
  return (
    <>
      <SelectField
        form={form}
        name="network"
        label={t('withdrawals.network')}
        value={wallet.network}
        onChange={({ target }) =>
          onChange({ ...wallet, network: networkCodes.find((code) => code === target.value) ?? '' })
        }
      >
        <option value="">{t('payouts.choose')}</option>
        {networkCodes.map((code) => (
          <option key={code} value={code}>
            {t(`withdrawals.networks.${code}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        ref={ref}
        form={form}
        name="address"
        label={t('withdrawals.address')}
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        onInput={({ currentTarget }) => onChange({ ...wallet, address: currentTarget.value })}
      />
    </>
  );
}

/** Warns of an address that only looks like an earlier one. */
export function Lookalike({ address }: Pick<TypedWallet, 'address'>): ReactElement | null {
  const t = useT();
  const { data: known = [] } = useQuery(addressesOptions);
  const lookalike = known.find((one) => looksLike(one.address, address.trim()));
  if (!lookalike) return null;
  return <Notice tone="bad">{t('withdrawals.looksLike', { address: lookalike.address })}</Notice>;
}

interface RecentAddressesProps {
  network: Network | '';
  onChosen: (wallet: TypedWallet) => void;
}

/** Earlier addresses, of the chosen network or of all; one fills the form. */
export function RecentAddresses({ network, onChosen }: RecentAddressesProps): ReactElement | null {
  const t = useT();
  const { data: known = [] } = useQuery(addressesOptions);
  const offered = known.filter((one) => network === '' || one.network === network);
  if (offered.length === 0) return null;
  return (
    <Section isCard title={t('withdrawals.knownAddresses')}>
      <ul className={styles.known} aria-label={t('withdrawals.knownAddresses')}>
        {offered.map((one) => (
          <li key={`${one.network} ${one.address}`}>
            <button type="button" onClick={() => onChosen(one)}>
              <span className={styles.network}>{t(`withdrawals.networks.${one.network}`)}</span>
              {one.address}
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
