import { ofService, type TrailQuery, trailForm } from '@hengfu/contract/staff/audit-trail';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Form, SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import { type FormBody, useSubmission } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import styles from '../service.module.css';
import { actionName, namedActions } from './audit-texts.ts';

interface AuditFiltersProps {
  query: TrailQuery;
  change: (query: TrailQuery) => void;
}

/** The filters of the audit trail. Times are those of the browser's zone. */
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
        <TextField
          form={form}
          name="from"
          type="datetime-local"
          label={t('officeService.from')}
          defaultValue={localOf(query.from)}
        />
        <TextField
          form={form}
          name="to"
          type="datetime-local"
          label={t('officeService.to')}
          defaultValue={localOf(query.to)}
        />
      </div>
    </Form>
  );
}

/** The filters that a form has: those that are not empty. */
function queryOf(body: FormBody): TrailQuery {
  const entries = Object.entries(body).map(([name, value]) => [name, String(value).trim()] as const);
  return Object.fromEntries(
    entries
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [
        name,
        name === 'from' || name === 'to' ? new Date(value).toISOString() : value,
      ]),
  );
}

/** An instant as the value of a `datetime-local` field, in the browser's zone. */
function localOf(instant: string | undefined): string | undefined {
  if (instant === undefined) return undefined;
  const at = new Date(instant);
  const minuteMs = 60_000;
  return new Date(at.getTime() - at.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);
}
