import { bankNameIn, banksOf } from '@hengfu/contract/banks';
import type { ChannelCode } from '@hengfu/contract/channels';
import type { ErrorCode } from '@hengfu/contract/errors';
import type { BatchField } from '@hengfu/contract/payout-batch-rows';
import { pixKeyTypes } from '@hengfu/contract/payout-fields';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { memo, type ReactElement, useId } from 'react';
import { translateIssue, useLanguage, useT } from '../../../platform/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { type StatusLook, StatusTag } from '../../../ui/status-tag.tsx';
import { confirmRows, editCell, leaveOut, type RowState, type ValidatedRow } from './batch-draft.ts';
import styles from './batch-editor.module.css';

interface RowProps {
  channel: ChannelCode;
  fields: readonly BatchField[];
  row: ValidatedRow;
}

const looks: Readonly<Record<RowState, StatusLook>> = {
  fine: { label: 'payoutBatches.fine', tone: 'good', icon: 'circleCheck' },
  faulty: { label: 'payoutBatches.faulty', tone: 'bad', icon: 'circleCross' },
  asked: { label: 'payoutBatches.asked', tone: 'waiting', icon: 'alert' },
  leftOut: { label: 'payoutBatches.leftOut', tone: 'calm', icon: 'circleDash' },
};

/** Why a row failed in an earlier batch. Leaves out reasons that the check finds again at the row itself. */
const reasons: Readonly<Partial<Record<ErrorCode, PhraseKey>>> = {
  insufficient_funds: 'errors.insufficient_funds',
  channel_closed: 'errors.channel_closed',
  internal: 'errors.internal',
};

/** A row of a draft: its state and its editable cells. */
export const BatchTableRow = memo(function BatchTableRow({ channel, fields, row }: RowProps): ReactElement {
  const t = useT();
  return (
    <tr data-state={row.state}>
      <th scope="row">{row.line}</th>
      <td className={styles.judged} data-label={t('payoutBatches.state')}>
        <RowStatus row={row} />
      </td>
      {fields.map((field) => (
        <td key={field} data-label={t(`payoutBatches.column.${field}`)}>
          <Cell channel={channel} field={field} row={row} />
        </td>
      ))}
    </tr>
  );
});

function RowStatus({ row }: { row: ValidatedRow }): ReactElement {
  const t = useT();
  const { line, state, reason, isNewAccount, isChangedAccount } = row;
  const isOut = state === 'leftOut';
  const why = reason && reasons[reason];
  return (
    <div className={styles.marks}>
      <div className={styles.head}>
        <StatusTag look={looks[state]} />
        <Button
          look="quiet"
          aria-label={t(isOut ? 'payoutBatches.takeInLine' : 'payoutBatches.leaveOutLine', { line })}
          onClick={() => leaveOut([line], !isOut)}
        >
          {t(isOut ? 'payoutBatches.takeIn' : 'payoutBatches.leaveOut')}
        </Button>
      </div>
      {state === 'faulty' && (
        <span className={styles.fault}>
          {[...row.faults.keys()].map((field) => t(`payoutBatches.column.${field}`)).join(t('ui.listComma'))}
        </span>
      )}
      {why && <span className={styles.mark}>{t(why)}</span>}
      {!isOut && <Similar row={row} />}
      {!isOut && isNewAccount && (
        <span className={styles.mark}>
          {t(isChangedAccount ? 'payoutBatches.changedAccount' : 'payoutBatches.newAccount')}
        </span>
      )}
    </div>
  );
}

/** Names the earlier payment that a row looks like, and lets the user confirm the row. */
function Similar({ row: { line, similar, isConfirmed } }: { row: ValidatedRow }): ReactElement | null {
  const t = useT();
  if (!similar) return null;
  const { trade_no, earlierLine, isUnknown } = similar;
  const text =
    trade_no === null
      ? t('payoutBatches.similarLine', { line: earlierLine ?? '' })
      : t(isUnknown ? 'payoutBatches.similarUnknown' : 'payoutBatches.similarTo', { trade_no });
  return (
    <>
      <span className={styles.mark}>{text}</span>
      {isConfirmed && !isUnknown && <span>{t('payoutBatches.isMeant')}</span>}
      {!isConfirmed && !isUnknown && (
        <Button onClick={() => confirmRows([line])}>{t('payoutBatches.meant')}</Button>
      )}
    </>
  );
}

interface CellProps {
  channel: ChannelCode;
  field: BatchField;
  row: ValidatedRow;
}

function Cell({ channel, field, row }: CellProps): ReactElement {
  const t = useT();
  const id = useId();
  const language = useLanguage();
  const value = row.fields[field] ?? '';
  const fault = row.state === 'leftOut' ? undefined : row.faults.get(field);
  const commit = (text: string) => {
    if (text !== value) editCell(row.line, field, text);
  };
  const common = {
    className: styles.cell,
    'data-field': field,
    'aria-label': t('payoutBatches.cell', { line: row.line, column: t(`payoutBatches.column.${field}`) }),
    'aria-invalid': fault !== undefined,
    'aria-describedby': fault ? id : undefined,
  };
  const options = optionsOf(channel, field)?.map(({ code, name, latinName }) => ({
    code,
    text: bankNameIn({ code, name, ...(latinName && { latinName }) }, language),
  }));
  return (
    <>
      {options ? (
        <select {...common} value={value} onChange={({ target }) => commit(target.value)}>
          <option value="">{t('payouts.choose')}</option>
          {value !== '' && !options.some(({ code }) => code === value) && (
            <option value={value}>{value}</option>
          )}
          {options.map(({ code, text }) => (
            <option key={code} value={code}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input
          // Remounts the input to show the normalized value.
          key={value}
          {...common}
          defaultValue={value}
          spellCheck={false}
          autoComplete="off"
          onBlur={({ target }) => commit(target.value)}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Enter') commit(currentTarget.value);
          }}
        />
      )}
      {fault && (
        <div id={id} className={styles.fault}>
          {translateIssue(fault)}
        </div>
      )}
    </>
  );
}

function optionsOf(channel: ChannelCode, field: BatchField) {
  if (field === 'bank') return banksOf[channel];
  if (field !== 'accountType') return undefined;
  return pixKeyTypes.map((code) => ({ code, name: code, latinName: undefined }));
}
