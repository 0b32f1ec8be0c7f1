import { type ChannelCode, pixKeyTypes } from '@hengfu/contract/channels';
import type { BatchField } from '@hengfu/contract/payout-batch-rows';
import { isComposing } from '@hengfu/ui/browser/is-composing.ts';
import { Select } from '@hengfu/ui/controls/select.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Combobox } from '@hengfu/ui/overlays/combobox.tsx';
import type { ComboboxOption } from '@hengfu/ui/overlays/combobox-options.ts';
import { type ReactElement, useId, useLayoutEffect, useRef } from 'react';
import { editCell, type ValidatedRow } from '../batch-draft.ts';
import styles from '../batch-editor.module.css';
import type { RowColumn } from './row-columns.ts';

interface CellProps {
  channel: ChannelCode;
  column: RowColumn;
  row: ValidatedRow;
  /** The row's number in the user's language. */
  lineText: string;
  /** Of the text that says what is wrong with the cell. */
  faultId: string | undefined;
}

/** The attributes that all kinds of cells share. */
interface CellAttributes {
  className: string | undefined;
  'data-field': BatchField;
  'aria-label': string;
  'aria-invalid': boolean;
  'aria-describedby'?: string;
}

interface ControlProps {
  attributes: CellAttributes;
  value: string;
  onCommit: (text: string) => void;
}

/** An editable cell of a draft's row. */
export function Cell({ channel, column, row, lineText, faultId }: CellProps): ReactElement {
  const { field, cellLabel, options } = column;
  const value = row.fields[field] ?? '';
  const control: ControlProps = {
    attributes: {
      className: styles.cell,
      'data-field': field,
      'aria-label': cellLabel(lineText),
      'aria-invalid': faultId !== undefined,
      ...(faultId !== undefined && { 'aria-describedby': faultId }),
    },
    value,
    onCommit: (text) => {
      if (text !== value) editCell(row.line, field, text);
    },
  };
  if (options) return <BankCell {...control} channel={channel} options={options} />;
  return field === 'accountType' ? <KeyTypeCell {...control} /> : <TextCell {...control} />;
}

/** Commits what was typed with Enter and on leaving. */
function TextCell({ attributes, value, onCommit }: ControlProps): ReactElement {
  const ref = useRef<HTMLInputElement>(null);
  // Shows the normalized value, and keeps the focus.
  useLayoutEffect(() => {
    if (ref.current) ref.current.value = value;
  }, [value]);
  return (
    <input
      ref={ref}
      {...attributes}
      defaultValue={value}
      spellCheck={false}
      autoComplete="off"
      onBlur={({ target }) => onCommit(target.value)}
      onKeyDown={({ key, currentTarget, nativeEvent }) => {
        if (key === 'Enter' && !isComposing(nativeEvent)) onCommit(currentTarget.value);
      }}
    />
  );
}

/** Finds the bank by its name, code or initials. Text of the file that names no bank is shown until one is chosen. */
function BankCell({
  attributes,
  value,
  onCommit,
  channel,
  options,
}: ControlProps & { channel: ChannelCode; options: readonly ComboboxOption[] }): ReactElement {
  const t = useT();
  const id = useId();
  return (
    <Combobox
      id={id}
      {...attributes}
      label={attributes['aria-label']}
      options={options}
      value={value}
      placeholder={value || t('payouts.choose')}
      recentKey={`bank:${channel}`}
      onChange={onCommit}
    />
  );
}

function KeyTypeCell({ attributes, value, onCommit }: ControlProps): ReactElement {
  const t = useT();
  const isKnown = pixKeyTypes.some((type) => type === value);
  return (
    <Select look="plain" {...attributes} value={value} onChange={({ target }) => onCommit(target.value)}>
      <option value="">{t('payouts.choose')}</option>
      {value !== '' && !isKnown && <option value={value}>{value}</option>}
      {pixKeyTypes.map((type) => (
        <option key={type} value={type}>
          {t(`payouts.pixKey.${type}`)}
        </option>
      ))}
    </Select>
  );
}
