import { type ReactElement, useState } from 'react';
import { Checkbox } from '../../src/controls/checkbox.tsx';
import { SentForm } from './sent-form.tsx';

const kinds = ['Payouts', 'Collections', 'Settlements'];

/** Checkboxes in every state, and one that stands for several: partly checked while only some of them are. */
export function CheckboxScene(): ReactElement {
  const [chosen, setChosen] = useState<readonly string[]>(['Payouts']);
  const toggle = (kind: string) =>
    setChosen(chosen.includes(kind) ? chosen.filter((other) => other !== kind) : [...chosen, kind]);
  return (
    <>
      <h1>Checkbox</h1>
      <SentForm>
        <Checkbox
          checked={chosen.length === kinds.length}
          isIndeterminate={chosen.length > 0 && chosen.length < kinds.length}
          onChange={({ target }) => setChosen(target.checked ? kinds : [])}
        >
          All
        </Checkbox>
        {kinds.map((kind) => (
          <Checkbox
            key={kind}
            name="kind"
            value={kind}
            checked={chosen.includes(kind)}
            onChange={() => toggle(kind)}
          >
            {kind}
          </Checkbox>
        ))}
        <Checkbox name="kind" value="Closed" disabled>
          Closed
        </Checkbox>
        <Checkbox name="kind" value="Always" disabled defaultChecked>
          Always
        </Checkbox>
        <Checkbox name="row" aria-label="Select C26030300000000000001" />
      </SentForm>
    </>
  );
}
