import { ofService, type TrailQuery, trailForm } from '@hengfu/contract/staff/audit-trail';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Form, SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import { type FormBody, useSubmission } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useUiSettings } from '@hengfu/ui/language/ui-settings.ts';
import { MomentField } from '@hengfu/ui/overlays/moment-field.tsx';
import { type ReactElement, useId, useState } from 'react';
import styles from '../service.module.css';
import { actionName, namedActions } from './audit-texts.ts';

interface AuditFiltersProps {
  query: TrailQuery;
  change: (query: TrailQuery) => void;
}

/** The filters of the audit trail. */
export function AuditFilters({ query, change }: AuditFiltersProps): ReactElement {
  const t = useT();
  const form = useSubmission({
    schema: trailForm,
    send: async (body) => queryOf(body),
    onDone: change,
    refusalOf: () => undefined,
  });
  const actions = namedActions
    .map((action) => ({ action, name: actionName(action, t) }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  return (
    <Form
      state={form}
      action={t('officeService.search')}
      extra={<Button onClick={() => change({})}>{t('officeService.clear')}</Button>}
      isWide
    >
      <div className={styles.filters}>
        <TextField
          form={form}
          name="actor"
          label={t('officeService.who')}
          hint={t('officeService.whoHint')}
          defaultValue={query.actor}
          autoComplete="off"
        />
        <SelectField
          form={form}
          name="action"
          label={t('officeService.action')}
          defaultValue={query.action ?? ''}
        >
          <option value="">{t('officeService.anyAction')}</option>
          {actions.map(({ action, name }) => (
            <option key={action} value={action}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          form={form}
          name="subject"
          label={t('officeService.object')}
          hint={t('officeService.objectHint')}
          defaultValue={query.subject}
          autoComplete="off"
        />
        <TextField
          form={form}
          name="merchant"
          label={t('officeService.merchantCode')}
          hint={t('officeService.merchantHint', { service: ofService })}
          defaultValue={query.merchant}
          autoComplete="off"
        />
        <TimeFilter name="from" given={query.from} />
        <TimeFilter name="to" given={query.to} />
      </div>
    </Form>
  );
}

/** One end of the time that is searched. */
function TimeFilter({ name, given }: { name: 'from' | 'to'; given: string | undefined }): ReactElement {
  const t = useT();
  const id = useId();
  const { zone } = useUiSettings();
  const [at, setAt] = useState(given);
  return (
    <div className={styles.time}>
      <label htmlFor={id}>{t(`officeService.${name}`)}</label>
      <input type="hidden" name={name} value={at ?? ''} />
      <MomentField
        id={id}
        label={t(`officeService.${name}`)}
        timeLabel={t(`officeService.${name}Time`)}
        timeHint={t('officeService.zoneHint', { zone })}
        at={at}
        placeholder={t('officeService.anyTime')}
        onChange={setAt}
      />
    </div>
  );
}

/** The filters that a form has: those that are not empty. */
function queryOf(body: FormBody): TrailQuery {
  const entries = Object.entries(body).map(([name, value]) => [name, String(value).trim()] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}
