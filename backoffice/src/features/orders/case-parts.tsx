import { Button } from '@hengfu/ui/controls/button.tsx';
import type { ReactElement } from 'react';
import { useHasPerm } from '../../platform/session.ts';

interface CaseActionProps {
  action: { isPending: boolean; mutate: () => void };
  /** Whether the order's state allows it. */
  isPossible: boolean;
  label: string;
}

/** The button of what can be done with an order at once, for those who may. */
export function CaseAction({ action, isPossible, label }: CaseActionProps): ReactElement | null {
  const canAct = useHasPerm('orders.act');
  if (!canAct || !isPossible) return null;
  return (
    <p>
      <Button look="primary" aria-disabled={action.isPending} onClick={() => action.mutate()}>
        {label}
      </Button>
    </p>
  );
}
