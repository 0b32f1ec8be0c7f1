import type { ExportList } from '@hengfu/contract/export-columns';
import { type SavedView, savedViewEndpoints } from '@hengfu/contract/saved-views';
import { Button, buttonClass, IconButton } from '@hengfu/ui/controls/button.tsx';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Popover } from '@hengfu/ui/overlays/popover.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { reading } from '../../platform/reading.ts';
import { Failure } from '../failure.tsx';
import { useForm } from '../forms/use-form.ts';
import styles from './saved-views.module.css';

const viewsOptions = reading(savedViewEndpoints.list);

export interface SavedViewsProps {
  list: ExportList;
  /** The list's current filters, stored with a new view. */
  filters: Readonly<Record<string, string>>;
  columns: readonly string[];
  onChosen: (view: SavedView) => void;
}

/** Menu of saved views (filters and columns under a name): opens, saves and deletes them. */
export function SavedViews(props: SavedViewsProps): ReactElement {
  const t = useT();
  return (
    <Popover
      label={t('ui.views')}
      openerClass={buttonClass('outline')}
      opener={
        <>
          {t('ui.views')}
          <Icon name="chevronDown" />
        </>
      }
    >
      {(close) => <Views {...props} close={close} />}
    </Popover>
  );
}

/** The saved views, and a form that saves another one. */
export function Views({
  list,
  filters,
  columns,
  onChosen,
  close,
}: SavedViewsProps & { close: () => void }): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(viewsOptions);
  const refresh = () => client.invalidateQueries({ queryKey: viewsOptions.queryKey });
  const remove = useAction({
    mutationFn: (id: string) => call(savedViewEndpoints.remove, { params: { id } }),
    onSettled: refresh,
  });
  const form = useForm({
    send: ({ name }) =>
      call(savedViewEndpoints.save, {
        body: { list, name: String(name), filters: { ...filters }, columns: [...columns] },
      }),
    onDone: (_reply, element) => {
      element.reset();
      void refresh();
    },
  });
  const views = data?.filter((view) => view.list === list) ?? [];
  return (
    <div className={styles.views}>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {data && views.length === 0 && <p>{t('ui.viewsNone')}</p>}
      <ul>
        {views.map((view) => (
          <li key={view.id}>
            <Button
              look="quiet"
              onClick={() => {
                onChosen(view);
                close();
              }}
            >
              {view.name}
            </Button>
            <IconButton
              icon="close"
              label={t('ui.viewRemove', { name: view.name })}
              onClick={() => remove.mutate(view.id)}
            />
          </li>
        ))}
      </ul>
      <Form state={form} action={t('ui.viewSave')}>
        <TextField form={form} name="name" label={t('ui.viewName')} maxLength={60} autoComplete="off" />
      </Form>
    </div>
  );
}
