import type { ReactElement } from 'react';
import { Select } from '../../src/controls/select.tsx';
import { SentForm } from './sent-form.tsx';

const sizes = ['20', '50', '100'];
const looks = ['control', 'field', 'plain'] as const;

/** Selects in every look, one of them wrong and one disabled. */
export function SelectScene(): ReactElement {
  const options = sizes.map((size) => <option key={size}>{size}</option>);
  return (
    <>
      <h1>Select</h1>
      <SentForm>
        {looks.map((look) => (
          <label key={look}>
            Rows, {look}{' '}
            <Select look={look} name={look} defaultValue="50">
              {options}
            </Select>
          </label>
        ))}
        <label>
          Rows, wrong <Select aria-invalid>{options}</Select>
        </label>
        <label>
          Rows, disabled{' '}
          <Select name="disabled" disabled>
            {options}
          </Select>
        </label>
      </SentForm>
    </>
  );
}
