import { type ReactElement, useState } from 'react';
import { Button } from '../../src/controls/button.tsx';
import { useT } from '../../src/language/i18n.ts';
import { DetailDrawer } from '../../src/overlays/detail-drawer.tsx';
import { Fields } from '../../src/page/fields.tsx';
import { Money } from '../../src/values/money.tsx';

const last = 3;

/** The detail of a row, with the way to its neighbours. */
export function DrawerScene(): ReactElement {
  const t = useT();
  const [row, setRow] = useState<number>();
  const step = (to: number) => (to < 1 || to > last ? undefined : () => setRow(to));
  return (
    <>
      <h1>Drawer</h1>
      <Button onClick={() => setRow(1)}>C26030300000000000001</Button>
      {row !== undefined && (
        <DetailDrawer
          title={`C2603030000000000000${row}`}
          onClose={() => setRow(undefined)}
          onPrevious={step(row - 1)}
          onNext={step(row + 1)}
        >
          <Fields
            fields={[
              { label: t('collections.amount'), value: <Money amount="1234.50" currency="CNY" /> },
              { label: t('collections.out_trade_no'), value: `ORDER-${row}`, copy: `ORDER-${row}` },
            ]}
          />
        </DetailDrawer>
      )}
    </>
  );
}
