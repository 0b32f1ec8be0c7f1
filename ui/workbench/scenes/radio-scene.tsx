import { type ReactElement, useState } from 'react';
import { RadioGroup } from '../../src/controls/radio.tsx';
import { SentForm } from './sent-form.tsx';

type Format = 'csv' | 'xlsx' | 'pdf';

/** A group that keeps its choice by itself, below each other, and one whose choice the caller keeps, in a row. */
export function RadioScene(): ReactElement {
  const [format, setFormat] = useState<Format>('csv');
  return (
    <>
      <h1>Radio</h1>
      <SentForm>
        <RadioGroup
          name="hours"
          label="Old key"
          choices={[
            { value: '0', label: 'Ends now' },
            { value: '1', label: 'Ends in an hour' },
            { value: '24', label: 'Ends in a day' },
          ]}
          defaultValue="1"
          hint="Requests signed with it are refused after that."
        />
        <RadioGroup<Format>
          label="Format"
          choices={[
            { value: 'csv', label: 'CSV' },
            { value: 'pdf', label: 'PDF', isDisabled: true },
            { value: 'xlsx', label: 'Excel' },
          ]}
          value={format}
          onChange={setFormat}
          isRow
        />
        <p>Chosen: {format}</p>
      </SentForm>
    </>
  );
}
