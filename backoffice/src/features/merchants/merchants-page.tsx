import { merchantModes } from '@hengfu/contract/merchant-mode';
import {
  homeCurrencies,
  type MerchantRow,
  merchantStates,
  staffMerchantEndpoints,
} from '@hengfu/contract/staff/merchants';
import { Button, buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Select } from '@hengfu/ui/controls/select.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FormEvent, ReactElement, ReactNode } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { useHasPerm } from '../../platform/session.ts';
import { Failure } from '../../shared/failure.tsx';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';
import { merchantLooks } from './merchant-looks.ts';
import styles from './merchants.module.css';

/** The filters of the list, as the address has them. */
export interface MerchantSearch {
  search?: string;
  state?: (typeof merchantStates)[number];
  mode?: (typeof merchantModes)[number];
  currency?: (typeof homeCurrencies)[number];
  after?: string;
}

interface MerchantsPageProps {
  filters: MerchantSearch;
  /** Changes the filters, and returns to the first page. */
  filter: (change: MerchantSearch) => void;
}

/** All merchants, by code. */
export function MerchantsPage({ filters, filter }: MerchantsPageProps): ReactElement {
  const t = useT();
  const mayCreate = useHasPerm('merchants.create');
  const { path } = staffMerchantEndpoints.list;
  const { data, error, refetch } = useQuery({
    ...reading(staffMerchantEndpoints.list, { query: filters }),
    queryKey: [path, JSON.stringify(filters)],
    placeholderData: keepPreviousData,
  });
  useLive(['merchants'], [path]);
  const { after: _, ...fromFirst } = filters;
  const create = mayCreate && (
    <Link to="/merchants/new" className={buttonClass('primary')}>
      {t('officeMerchants.create')}
    </Link>
  );
  return (
    <Page title={t('officeMerchants.title')}>
      <Section title={t('officeMerchants.back')} isCard extra={create}>
        <Filters filters={filters} filter={filter} />
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {data?.merchants.length === 0 && <p className={table.note}>{t('officeMerchants.none')}</p>}
        {data && data.merchants.length > 0 && <MerchantTable merchants={data.merchants} />}
        <nav className={styles.pages} aria-label={t('officeMerchants.pages')}>
          {filters.after !== undefined && (
            <Link to="/merchants" search={fromFirst}>
              {t('officeMerchants.first')}
            </Link>
          )}
          {data?.next && (
            <Link to="/merchants" search={{ ...filters, after: data.next }}>
              {t('officeMerchants.next')}
            </Link>
          )}
        </nav>
      </Section>
    </Page>
  );
}

function MerchantTable({ merchants }: { merchants: readonly MerchantRow[] }): ReactElement {
  const t = useT();
  return (
    <TableBox label={t('officeMerchants.title')}>
      <thead>
        <tr>
          <th>{t('officeMerchants.code')}</th>
          <th>{t('officeMerchants.name')}</th>
          <th>{t('officeMerchants.currency')}</th>
          <th>{t('officeMerchants.mode')}</th>
          <th>{t('officeMerchants.state')}</th>
        </tr>
      </thead>
      <tbody>
        {merchants.map(({ code, name, currency, mode, state }) => (
          <tr key={code}>
            <td>
              <Link to="/merchants/$code" params={{ code }}>
                {code}
              </Link>
            </td>
            <td>{name}</td>
            <td>{currency}</td>
            <td>{t(`officeMerchants.modes.${mode}`)}</td>
            <td>
              <StatusTag look={merchantLooks[state]} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

/** A text to search for, which Enter applies, and choices, which apply at once. */
function Filters({ filters, filter }: MerchantsPageProps): ReactElement {
  const t = useT();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const search = String(new FormData(event.currentTarget).get('search') ?? '').trim();
    filter({ search });
  };
  return (
    <form className={styles.filters} onSubmit={submit}>
      <input
        key={filters.search}
        type="search"
        name="search"
        className={styles.search}
        defaultValue={filters.search}
        placeholder={t('officeMerchants.search')}
        aria-label={t('officeMerchants.search')}
        maxLength={100}
        autoComplete="off"
      />
      <Button type="submit" icon="search">
        {t('officeMerchants.find')}
      </Button>
      <Choice
        label={t('officeMerchants.state')}
        value={filters.state}
        onChange={(state) => filter({ state } as MerchantSearch)}
        any={t('officeMerchants.anyState')}
      >
        {merchantStates.map((state) => (
          <option key={state} value={state}>
            {t(`officeMerchants.states.${state}`)}
          </option>
        ))}
      </Choice>
      <Choice
        label={t('officeMerchants.mode')}
        value={filters.mode}
        onChange={(mode) => filter({ mode } as MerchantSearch)}
        any={t('officeMerchants.anyMode')}
      >
        {merchantModes.map((mode) => (
          <option key={mode} value={mode}>
            {t(`officeMerchants.modes.${mode}`)}
          </option>
        ))}
      </Choice>
      <Choice
        label={t('officeMerchants.currency')}
        value={filters.currency}
        onChange={(currency) => filter({ currency } as MerchantSearch)}
        any={t('officeMerchants.anyCurrency')}
      >
        {homeCurrencies.map((currency) => (
          <option key={currency} value={currency}>
            {currency}
          </option>
        ))}
      </Choice>
    </form>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  /** The text of no choice. */
  any: string;
  onChange: (value: string | undefined) => void;
  children: ReactNode;
}

function Choice({ label, value, any, onChange, children }: ChoiceProps): ReactElement {
  return (
    <Select
      aria-label={label}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    >
      <option value="">{any}</option>
      {children}
    </Select>
  );
}
